// Products with 8-bit weights, for the instruction set of the translation unit that includes this. What xsimd lacks,
// the sum of two products of 16-bit integers in 32 bits, every instruction set has as one instruction.

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

/// A row as integers of magnitude at most `greatest_factor`, and what rounding left of each, at most a half, in units
/// of 1 / (2 * greatest_factor); returns what to multiply the integers with to have the row again. Only operations that
/// every instruction set rounds alike.
float quantise_row(const float* x, std::size_t n, std::int32_t greatest_factor, std::int16_t* integers,
                   std::int16_t* remainders) {
    // Compared as integers, the bits of magnitudes are in the order of the magnitudes, with infinity and NaN on top.
    IntegerBatch greatest_bits(0);
    for_each_batch(n, [&](std::size_t i, auto at) {
        greatest_bits = xsimd::max(greatest_bits, as_integer(xsimd::abs(at.load(x + i))));
    });
    std::int32_t bits[lanes];
    greatest_bits.store_unaligned(bits);
    for (std::size_t i = 1; i < lanes; ++i) bits[0] = bits[i] > bits[0] ? bits[i] : bits[0];
    float magnitude;
    std::memcpy(&magnitude, bits, sizeof magnitude);

    const float scale = magnitude / static_cast<float>(greatest_factor);
    const bool finite = magnitude <= FLT_MAX;
    if (!finite || scale < FLT_MIN) {
        std::memset(integers, 0, n * sizeof *integers);
        std::memset(remainders, 0, n * sizeof *remainders);
        return finite ? 0.0F : NAN;
    }
    const Batch factor(static_cast<float>(greatest_factor) / magnitude);
    const Batch units(static_cast<float>(2 * greatest_factor));
    const Batch rounder(12582912.0F);  // 1.5 * 2^23, as in exponential()
    const auto store_rounded = [&](auto at, Batch shifted, std::int16_t* out) {
        const IntegerBatch rounded = as_integer(shifted) - as_integer(rounder);
        std::int32_t whole[lanes];
        rounded.store_unaligned(whole);
        std::int16_t narrow[lanes];
        for (std::size_t lane = 0; lane < lanes; ++lane) narrow[lane] = static_cast<std::int16_t>(whole[lane]);
        at.store_integers(out, narrow);
    };
    for_each_batch(n, [&](std::size_t i, auto at) {
        const Batch scaled = at.load(x + i) * factor;
        const Batch shifted = scaled + rounder;
        store_rounded(at, shifted, integers + i);
        const Batch remainder = scaled - (shifted - rounder);  // exact
        store_rounded(at, remainder * units + rounder, remainders + i);
    });
    return scale;
}

/// One row times Vectors batches of columns of one panel. The weights of a pair are widened once for the row's integers
/// and its remainders.
template <std::size_t Vectors>
inline void multiply_int8_tile(const Int8Block& block, const std::int16_t* a, float a_scale, const std::int8_t* b,
                               const float* b_scales, float* products) {
    IntegerBatch sum[2][Vectors];  // of the integers, and of the remainders
    SOFTALIGN_UNROLL
    for (std::size_t v = 0; v < Vectors; ++v) sum[0][v] = sum[1][v] = IntegerBatch(0);
    constexpr std::size_t panel_bytes = 2 * panel_columns;
    for (std::size_t pair = 0; pair < block.pairs; ++pair, b += panel_bytes) {
        __builtin_prefetch(b + stream_ahead * sizeof(float));
        PairBatch right[Vectors];
        SOFTALIGN_UNROLL
        for (std::size_t v = 0; v < Vectors; ++v) right[v] = load_pairs(b + 2 * lanes * v);
        SOFTALIGN_UNROLL
        for (std::size_t part = 0; part < 2; ++part) {
            std::int32_t factors;
            std::memcpy(&factors, a + 2 * (part * block.pairs + pair), sizeof factors);
            const PairBatch left = as_pairs(IntegerBatch(factors));
            SOFTALIGN_UNROLL
            for (std::size_t v = 0; v < Vectors; ++v) sum[part][v] = sum[part][v] + sum_products(left, right[v]);
        }
    }
    SOFTALIGN_UNROLL
    for (std::size_t v = 0; v < Vectors; ++v) {
        const Batch scale = Batch(a_scale) * load(b_scales + v * lanes);
        const Batch remainder = xsimd::to_float(sum[1][v]) * Batch(block.remainder_unit);
        store(products + v * lanes, (xsimd::to_float(sum[0][v]) + remainder) * scale);
    }
}

void multiply_int8_row(const Int8Block& block, std::size_t row, std::size_t column, std::size_t width) {
    const std::int16_t* const a = block.a + row * 4 * block.pairs;
    float products[panel_columns];
    for (std::size_t v = 0; v < Tile::panel_vectors; v += Tile::int8_vectors) {
        multiply_int8_tile<Tile::int8_vectors>(block, a, block.a_scales[row],
                                               block.b + (column * block.pairs + v * lanes) * 2,
                                               block.b_scales + column + v * lanes, products + v * lanes);
    }
    float* const c = block.c + row * block.c_row_stride + column;
    const float* const start = block.update == Update::add ? c : block.bias != nullptr ? block.bias + column : zeros;
    const float* const product = products;
    for_each_batch(width, [=](std::size_t j, auto at) { at.store(c + j, at.load(start + j) + load(product + j)); });
}

void multiply_int8_block(const Int8Block& block) {
    for (std::size_t column = 0; column < block.columns; column += panel_columns) {
        const std::size_t width = smaller(panel_columns, block.columns - column);
        for (std::size_t row = 0; row < block.rows; ++row) multiply_int8_row(block, row, column, width);
    }
}

}  // namespace
}  // namespace softalign::simd::vectorised
