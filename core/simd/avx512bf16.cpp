// Products with factors in bfloat16 (AVX512_BF16). Blocks and tiles are those of gemm.inl, with two k in place of one.
//
// Nothing from the standard library and no template from another header is used here: the linker must never use a
// function compiled for this processor in code that runs on another.

#include <immintrin.h>

#include "core/simd/bf16.hpp"

namespace softalign::simd {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t vectors = 4;
constexpr std::size_t tile_rows = 6;  // with `vectors`: 24 of 32 registers are sums
constexpr std::size_t panel_columns = vectors * lanes;
// A panel of this height comes from the second-level cache as fast as from the first, once for every row of tiles; in
// return, C is read and written only once in this many k.
constexpr std::size_t block_pairs = 512;
constexpr std::size_t row_block = 384;
/// Distance of A's rows in scratch: not a power of two, or they would compete for the same cache lines.
constexpr std::size_t copied_row_stride = block_pairs + lanes;
constexpr std::size_t scratch_floats = row_block * copied_row_stride;

std::size_t smaller(std::size_t a, std::size_t b) {
    return a < b ? a : b;
}
std::size_t pairs_of(std::size_t k) {
    return (k + 1) / 2;
}
/// The first `count` lanes.
__mmask16 first_lanes(std::size_t count) {
    return static_cast<__mmask16>(count < lanes ? (1U << count) - 1U : 0xFFFFU);
}
/// The lanes of batch `v` in the first `width` columns of a panel.
__mmask16 lanes_of_batch(std::size_t width, std::size_t v) {
    return first_lanes(width > v * lanes ? width - v * lanes : 0);
}

/// Pairs (low[i], high[i]).
__m512i pair_up(__m512 low, __m512 high) {
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i interleaved =
        _mm512_or_si512(lane, _mm512_slli_epi32(_mm512_add_epi32(lane, _mm512_set1_epi32(16)), 16));
    return _mm512_permutexvar_epi16(interleaved, (__m512i)_mm512_cvtne2ps_pbh(high, low));
}

/// Pairs (from[2 i], from[2 i + 1]) of `count` < 2 lanes floats or all of them; what is missing is zero.
__m512i read_pairs(const float* from, std::size_t count) {
    const __m512 low = _mm512_maskz_loadu_ps(first_lanes(count), from);
    const __m512 high = _mm512_maskz_loadu_ps(lanes_of_batch(count, 1), from + lanes);
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

/// Rows i and i + 1 of a matrix, or row i and zeros after the last row, as pairs.
__m512i read_row_pair(const float* row, std::size_t row_stride, bool both, __mmask16 columns) {
    const __m512 high = both ? _mm512_maskz_loadu_ps(columns, row + row_stride) : _mm512_setzero_ps();
    return pair_up(_mm512_maskz_loadu_ps(columns, row), high);
}

void pack_panel(const float* b, std::size_t row_stride, std::size_t width, std::size_t k, float* panel) {
    for (std::size_t i = 0; i < k; i += 2, panel += panel_columns) {
        for (std::size_t v = 0; v < vectors; ++v) {
            const float* const row = b + i * row_stride + v * lanes;
            _mm512_storeu_si512(panel + v * lanes, read_row_pair(row, row_stride, i + 1 < k, lanes_of_batch(width, v)));
        }
    }
}

/// Transposes in registers: exchanges the off-diagonal blocks of 1, 2, 4 and 8 lanes.
void transpose(__m512i (&rows)[lanes]) {
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#pragma GCC unroll 4
    for (int size = 1; size < 16; size *= 2) {
        const __m512i distance = _mm512_set1_epi32(size);
        const __mmask16 upper = _mm512_test_epi32_mask(lane, distance);
        // Lanes 16 to 31 are those of the second operand.
        const __m512i second = _mm512_add_epi32(lane, _mm512_set1_epi32(16));
        const __m512i from_lower = _mm512_mask_sub_epi32(lane, upper, second, distance);
        const __m512i from_upper = _mm512_mask_blend_epi32(upper, _mm512_add_epi32(lane, distance), second);
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) {
            if ((i & size) != 0) continue;
            const __m512i a = rows[i];
            const __m512i b = rows[i + size];
            rows[i] = _mm512_permutex2var_epi32(a, from_lower, b);
            rows[i + size] = _mm512_permutex2var_epi32(a, from_upper, b);
        }
    }
}

void pack_panel_transposed(const float* b, std::size_t row_stride, std::size_t width, std::size_t k, float* panel) {
    for (std::size_t first = 0; first < k; first += 2 * lanes) {
        const std::size_t count = smaller(2 * lanes, k - first);
        for (std::size_t v = 0; v < vectors; ++v) {
            __m512i pairs[lanes];
#pragma GCC unroll 16
            for (std::size_t j = 0; j < lanes; ++j) {
                const std::size_t column = v * lanes + j;
                pairs[j] = column < width ? read_pairs(b + column * row_stride + first, count) : _mm512_setzero_si512();
            }
            transpose(pairs);
            float* const to = panel + first / 2 * panel_columns + v * lanes;
#pragma GCC unroll 16
            for (std::size_t p = 0; p < lanes; ++p) {
                if (p < pairs_of(count)) _mm512_storeu_si512(to + p * panel_columns, pairs[p]);
            }
        }
    }
}

/// Rows of A, a block long, side by side: [rows][copied_row_stride].
void copy_rows(const float* a, std::size_t row_stride, std::size_t rows, std::size_t k, float* copy) {
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < k; i += 2 * lanes) {
            _mm512_storeu_si512(copy + row * copied_row_stride + i / 2,
                                read_pairs(a + row * row_stride + i, smaller(2 * lanes, k - i)));
        }
    }
}

/// A read transposed, in tiles of [pairs][tile_rows].
void copy_transposed(const float* a, std::size_t k_stride, std::size_t rows, std::size_t k, float* copy) {
    constexpr std::size_t rows_ahead = 8;
    for (std::size_t i = 0; i < k; i += 2) {
        const float* const from = a + i * k_stride;
        // The rows are far apart, so the processor does not prefetch the next ones by itself.
        for (std::size_t row = 0; row < rows; row += lanes) {
            __builtin_prefetch(from + rows_ahead * k_stride + row);
            __builtin_prefetch(from + (rows_ahead + 1) * k_stride + row);
        }
        float* to = copy + i / 2 * tile_rows;
        for (std::size_t row = 0; row < rows; row += tile_rows, to += tile_rows * copied_row_stride) {
            const __mmask16 tile = first_lanes(smaller(tile_rows, rows - row));
            _mm512_mask_storeu_epi32(to, tile, read_row_pair(from + row, k_stride, i + 1 < k, tile));
        }
    }
}

struct Tile {
    const float* a;
    const float* b;
    std::size_t pairs;
    const float* start;
    std::size_t start_stride;
    float* c;
    std::size_t c_stride;
    std::size_t width;
    const float* ahead;  ///< a line of memory per pair that will be wanted soon, or null
};

/// C[Rows, width] = start + A[Rows, k] · B[k, width], B in a panel.
template <std::size_t Rows, std::size_t RowStride, std::size_t PairStride>
void multiply_tile(const Tile& tile) {
    __m512 sum[Rows][vectors];
    __mmask16 mask[vectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < vectors; ++v) mask[v] = lanes_of_batch(tile.width, v);
#pragma GCC unroll 8
    for (std::size_t row = 0; row < Rows; ++row) {
#pragma GCC unroll 8
        for (std::size_t v = 0; v < vectors; ++v) {
            sum[row][v] = _mm512_maskz_loadu_ps(mask[v], tile.start + row * tile.start_stride + v * lanes);
        }
    }
#pragma GCC unroll 8
    for (std::size_t row = Rows; row < 2 * Rows; ++row) {  // the tile below
#pragma GCC unroll 8
        for (std::size_t v = 0; v < vectors; ++v) __builtin_prefetch(tile.c + row * tile.c_stride + v * lanes);
    }
    const float* a = tile.a;
    const float* b = tile.b;
    const auto step = [&] {
        __m512bh right[vectors];
#pragma GCC unroll 8
        for (std::size_t v = 0; v < vectors; ++v) right[v] = (__m512bh)_mm512_loadu_ps(b + v * lanes);
#pragma GCC unroll 8
        for (std::size_t row = 0; row < Rows; ++row) {
            const __m512bh left = (__m512bh)_mm512_set1_ps(a[row * RowStride]);
#pragma GCC unroll 8
            for (std::size_t v = 0; v < vectors; ++v) sum[row][v] = _mm512_dpbf16_ps(sum[row][v], left, right[v]);
        }
        a += PairStride;
        b += panel_columns;
    };
    if (tile.ahead != nullptr) {
        for (std::size_t p = 0; p < tile.pairs; ++p) {
            __builtin_prefetch(tile.ahead + p * panel_columns);
            step();
        }
    } else {
        for (std::size_t p = 0; p < tile.pairs; ++p) step();
    }
#pragma GCC unroll 8
    for (std::size_t row = 0; row < Rows; ++row) {
#pragma GCC unroll 8
        for (std::size_t v = 0; v < vectors; ++v) {
            _mm512_mask_storeu_ps(tile.c + row * tile.c_stride + v * lanes, mask[v], sum[row][v]);
        }
    }
}

template <std::size_t RowStride, std::size_t PairStride, std::size_t Rows = tile_rows>
void multiply_up_to(std::size_t rows, const Tile& tile) {
    if (rows == Rows) {
        multiply_tile<Rows, RowStride, PairStride>(tile);
    } else if constexpr (Rows > 1) {
        multiply_up_to<RowStride, PairStride, Rows - 1>(rows, tile);
    }
}

constexpr float zeros[panel_columns] = {};

/// Where the sums of a tile start: from C, from the bias, or from zero.
void set_start(const ProductBlock& block, bool first, std::size_t column, Tile& tile) {
    if (!first || block.update == Update::add) {
        tile.start = tile.c;
        tile.start_stride = tile.c_stride;
    } else {
        tile.start = block.bias != nullptr ? block.bias + column : zeros;
        tile.start_stride = 0;
    }
}

void multiply_block(const ProductBlock& block, float* scratch) {
    const bool transposed = block.a_k_stride != 1;
    const std::size_t pairs = pairs_of(block.k);
    float* const copied = scratch;

    for (std::size_t first_row = 0; first_row < block.rows; first_row += row_block) {
        const std::size_t rows = smaller(row_block, block.rows - first_row);
        const std::size_t tiles = (rows + tile_rows - 1) / tile_rows;
        const std::size_t copied_block = tiles * tile_rows * copied_row_stride;
        // As much of these rows as fits into scratch: the fewer the rows, the longer the way along a panel.
        const std::size_t chunk = scratch_floats / copied_block * block_pairs;
        std::size_t chunk_start = 0;
        do {
            const std::size_t chunk_end = smaller(pairs, chunk_start + chunk);
            for (std::size_t pair = chunk_start; pair < chunk_end; pair += block_pairs) {
                const float* const a = block.a + first_row * block.a_row_stride + 2 * pair * block.a_k_stride;
                float* const copy = copied + (pair - chunk_start) / block_pairs * copied_block;
                const std::size_t k = smaller(2 * block_pairs, block.k - 2 * pair);
                if (transposed) {
                    copy_transposed(a, block.a_k_stride, rows, k, copy);
                } else {
                    copy_rows(a, block.a_row_stride, rows, k, copy);
                }
            }
            for (std::size_t column = 0; column < block.columns; column += panel_columns) {
                const std::size_t width = smaller(panel_columns, block.columns - column);
                std::size_t pair = chunk_start;
                do {
                    Tile tile{};
                    tile.pairs = smaller(block_pairs, chunk_end - pair);
                    tile.b = block.b + column * pairs + pair * panel_columns;
                    tile.c_stride = block.c_row_stride;
                    tile.width = width;
                    const float* const left = copied + (pair - chunk_start) / block_pairs * copied_block;
                    for (std::size_t t = 0; t < tiles; ++t) {
                        const std::size_t row = t * tile_rows;
                        tile.a = left + row * copied_row_stride;
                        tile.c = block.c + (first_row + row) * block.c_row_stride + column;
                        set_start(block, pair == 0, column, tile);
                        tile.ahead = t < vectors ? tile.b + tile.pairs * panel_columns + t * lanes : nullptr;
                        const std::size_t in_tile = smaller(tile_rows, rows - row);
                        if (transposed) {
                            multiply_up_to<1, tile_rows>(in_tile, tile);
                        } else {
                            multiply_up_to<copied_row_stride, 1>(in_tile, tile);
                        }
                    }
                    pair += tile.pairs;
                } while (pair < chunk_end);
            }
            chunk_start = chunk_end;
        } while (chunk_start < pairs);
    }
}

}  // namespace

constexpr Bf16Products avx512_bf16_products = {scratch_floats, multiply_block, pack_panel, pack_panel_transposed};

}  // namespace softalign::simd
