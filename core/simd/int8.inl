// Products with 8-bit weights, for the instruction set of the translation unit that includes this. Every instruction
// set has one instruction for the sum of two products of 16-bit integers in 32 bits, which xsimd lacks.

#include <float.h>
#include <math.h>

#include <cstddef>
#include <cstdint>

#include "core/simd/batch.hpp"
#include "core/simd/instruction_set.hpp"

namespace softalign::simd::vectorised {
namespace {

/// Pairs of 16-bit integers, one pair for every lane of 32 bits.
using PairBatch = xsimd::batch<std::int16_t, SOFTALIGN_ARCH>;

#if defined(__AVX512BW__)
inline PairBatch load_pairs(const std::int8_t* p) {
    return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline PairBatch as_pairs(IntegerBatch x) {
    return static_cast<__m512i>(x);
}
inline IntegerBatch sum_products(PairBatch a, PairBatch b) {
    return _mm512_madd_epi16(a, b);
}
#elif defined(__AVX2__)
inline PairBatch load_pairs(const std::int8_t* p) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline PairBatch as_pairs(IntegerBatch x) {
    return static_cast<__m256i>(x);
}
inline IntegerBatch sum_products(PairBatch a, PairBatch b) {
    return _mm256_madd_epi16(a, b);
}
#elif defined(__SSE4_1__)  // and WebAssembly
inline PairBatch load_pairs(const std::int8_t* p) {
    return _mm_cvtepi8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}
inline PairBatch as_pairs(IntegerBatch x) {
    return static_cast<__m128i>(x);
}
inline IntegerBatch sum_products(PairBatch a, PairBatch b) {
    return _mm_madd_epi16(a, b);
}
#elif defined(__aarch64__)
inline PairBatch load_pairs(const std::int8_t* p) {
    return vmovl_s8(vld1_s8(p));
}
inline PairBatch as_pairs(IntegerBatch x) {
    return vreinterpretq_s16_s32(x);
}
inline IntegerBatch sum_products(PairBatch a, PairBatch b) {
    const int16x8_t left = a;
    const int16x8_t right = b;
    return vpaddq_s32(vmull_s16(vget_low_s16(left), vget_low_s16(right)), vmull_high_s16(left, right));
}
#endif

/// Uses only operations that every instruction set rounds alike.
float quantise_row(const float* x, std::size_t n, std::int16_t* integers) {
    // Compared as integers, the bits of magnitudes are in the order of the magnitudes, with infinity and NaN on top.
    IntegerBatch greatest_bits(0);
    for_each_batch(n, [&](std::size_t i, auto at) {
        greatest_bits = xsimd::max(greatest_bits, as_integer(absolute(at.load(x + i))));
    });
    std::int32_t bits[lanes];
    greatest_bits.store_unaligned(bits);
    for (std::size_t i = 1; i < lanes; ++i) bits[0] = bits[i] > bits[0] ? bits[i] : bits[0];
    float magnitude;
    std::memcpy(&magnitude, bits, sizeof magnitude);

    const float scale = magnitude / greatest_factor;
    const bool finite = magnitude <= FLT_MAX;
    if (!finite || scale < FLT_MIN) {
        std::memset(integers, 0, n * sizeof *integers);
        return finite ? 0.0F : NAN;
    }
    const Batch factor(greatest_factor / magnitude);
    const Batch rounder(12582912.0F);  // 1.5 * 2^23, as in exponential()
    for_each_batch(n, [&](std::size_t i, auto at) {
        const IntegerBatch rounded = as_integer(at.load(x + i) * factor + rounder) - as_integer(rounder);
        std::int32_t whole[lanes];
        rounded.store_unaligned(whole);
        std::int16_t narrow[lanes];
        for (std::size_t lane = 0; lane < lanes; ++lane) narrow[lane] = static_cast<std::int16_t>(whole[lane]);
        at.store_integers(integers + i, narrow);
    });
    return scale;
}

/// Rows of A times one panel. The weights of a pair are widened once for all rows.
template <std::size_t Rows>
inline void multiply_int8_tile(const std::int16_t* a, std::size_t pairs, const std::int8_t* b,
                               Batch (&products)[Rows][Tile::panel_vectors]) {
    constexpr std::size_t vectors = Tile::panel_vectors;
    for (std::size_t first = 0; first < pairs || first == 0; first += exact_pairs) {
        IntegerBatch sum[Rows][vectors];
        SOFTALIGN_UNROLL
        for (std::size_t row = 0; row < Rows; ++row) {
            SOFTALIGN_UNROLL
            for (std::size_t v = 0; v < vectors; ++v) sum[row][v] = IntegerBatch(0);
        }
        const std::size_t last = smaller(first + exact_pairs, pairs);
        for (std::size_t pair = first; pair < last; ++pair, b += 2 * panel_columns) {
            __builtin_prefetch(b + stream_ahead * sizeof(float));
            PairBatch right[vectors];
            SOFTALIGN_UNROLL
            for (std::size_t v = 0; v < vectors; ++v) right[v] = load_pairs(b + 2 * lanes * v);
            SOFTALIGN_UNROLL
            for (std::size_t row = 0; row < Rows; ++row) {
                std::int32_t factors;
                std::memcpy(&factors, a + 2 * (row * pairs + pair), sizeof factors);
                const PairBatch left = as_pairs(IntegerBatch(factors));
                SOFTALIGN_UNROLL
                for (std::size_t v = 0; v < vectors; ++v) sum[row][v] = sum[row][v] + sum_products(left, right[v]);
            }
        }
        SOFTALIGN_UNROLL
        for (std::size_t row = 0; row < Rows; ++row) {
            SOFTALIGN_UNROLL
            for (std::size_t v = 0; v < vectors; ++v) {
                const Batch part = xsimd::to_float(sum[row][v]);
                products[row][v] = first == 0 ? part : products[row][v] + part;
            }
        }
    }
}

template <std::size_t Rows>
void multiply_int8_rows(const Int8Block& block, std::size_t first_row, std::size_t column, std::size_t width) {
    Batch sums[Rows][Tile::panel_vectors];
    multiply_int8_tile<Rows>(block.a + first_row * 2 * block.pairs, block.pairs, block.b + column * block.pairs * 2,
                             sums);
    for (std::size_t row = 0; row < Rows; ++row) {
        float products[panel_columns];
        const Batch a_scale(block.a_scales[first_row + row]);
        SOFTALIGN_UNROLL
        for (std::size_t v = 0; v < Tile::panel_vectors; ++v) {
            store(products + v * lanes, sums[row][v] * (a_scale * load(block.b_scales + column + v * lanes)));
        }
        float* const c = block.c + (first_row + row) * block.c_row_stride + column;
        const float* const bias = block.bias != nullptr ? block.bias + column : zeros;
        const float* const start = block.update == Update::add ? c : bias;
        const float* const product = products;
        for_each_batch(width, [=](std::size_t j, auto at) { at.store(c + j, at.load(start + j) + load(product + j)); });
    }
}

void multiply_int8_block(const Int8Block& block) {
    for (std::size_t column = 0; column < block.columns; column += panel_columns) {
        const std::size_t width = smaller(panel_columns, block.columns - column);
        std::size_t row = 0;
        for (; row + Tile::int8_rows <= block.rows; row += Tile::int8_rows) {
            multiply_int8_rows<Tile::int8_rows>(block, row, column, width);
        }
        for (; row < block.rows; ++row) multiply_int8_rows<1>(block, row, column, width);
    }
}

}  // namespace
}  // namespace softalign::simd::vectorised
