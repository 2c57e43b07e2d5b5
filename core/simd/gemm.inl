// The product of one rectangle, for the instruction set of the translation unit that includes this.
//
// A tile of C, tile_rows × tile_vectors, stays in registers while k runs; a block of B, k_block × one panel, stays in
// the cache while all tiles of a row block pass over it. The longer the block, the less often C is read and written.
// Each element continues from what C holds after the previous block, so its additions run over k in order whatever the
// blocks, and any number of rows goes through the same arithmetic.

#include <cstddef>
#include <cstring>
#include <utility>

#include "core/simd/batch.hpp"
#include "core/simd/instruction_set.hpp"

namespace softalign::simd::vectorised {
namespace {

constexpr std::size_t panel_columns = Tile::panel_vectors * lanes;
constexpr std::size_t k_block = Tile::k_block;
constexpr std::size_t row_block = Tile::row_block / Tile::rows * Tile::rows;
/// Distance of A's rows in scratch: not a power of two, or they would compete for the same cache lines.
constexpr std::size_t copied_row_stride = k_block + 16;
constexpr std::size_t copied_tile_floats = Tile::rows * copied_row_stride;
constexpr std::size_t copied_floats = row_block * copied_row_stride;
constexpr std::size_t edge_floats = Tile::rows * panel_columns;
constexpr std::size_t scratch_floats = copied_floats + edge_floats;

constexpr std::size_t line_floats = 64 / sizeof(float);
/// How far ahead a panel that streams from memory is prefetched; the processor alone starts too late.
constexpr std::size_t stream_ahead = 16'384 / sizeof(float);

/// How many rows ahead of its copy a transposed A is prefetched.
constexpr std::size_t rows_ahead = 8;

constexpr float zeros[panel_columns] = {};

inline std::size_t smaller(std::size_t a, std::size_t b) {
    return a < b ? a : b;
}

/// A tile of the product, all of a panel wide.
struct TileArguments {
    const float* a;
    const float* b;
    std::size_t k;
    const float* start;
    std::size_t start_stride;
    float* c;
    std::size_t c_stride;
    const float* ahead;  ///< a line of memory per k that will be wanted soon, or null
};

/// C[Rows, Vectors * lanes] = start + A[Rows, k] · B[k, Vectors * lanes], in these columns of a panel.
template <std::size_t Rows, std::size_t Vectors, std::size_t RowStride, std::size_t KStride>
inline void multiply_tile(const TileArguments& t, std::size_t column) {
    const float* a = t.a;
    const float* b = t.b + column;
    const std::size_t k = t.k;
    const float* const start = t.start + column;
    const std::size_t start_stride = t.start_stride;
    float* const c = t.c + column;
    const std::size_t c_stride = t.c_stride;
    const float* const ahead = column == 0 ? t.ahead : nullptr;
    Batch sum[Rows][Vectors];
    SOFTALIGN_UNROLL
    for (std::size_t row = 0; row < Rows; ++row) {
        SOFTALIGN_UNROLL
        for (std::size_t v = 0; v < Vectors; ++v) sum[row][v] = load(start + row * start_stride + v * lanes);
    }
    const auto step = [&] {
        Batch right[Vectors];
        SOFTALIGN_UNROLL
        for (std::size_t v = 0; v < Vectors; ++v) right[v] = load(b + v * lanes);
        SOFTALIGN_UNROLL
        for (std::size_t row = 0; row < Rows; ++row) {
            const Batch left(a[row * RowStride]);
            SOFTALIGN_UNROLL
            for (std::size_t v = 0; v < Vectors; ++v) sum[row][v] = multiply_add(left, right[v], sum[row][v]);
        }
        a += KStride;
        b += panel_columns;
    };
    if constexpr (Rows == 1) {
        // Two at a time: in WebAssembly, every turn of a loop checks whether the program should stop.
        std::size_t i = 0;
        for (; i + 2 <= k; i += 2) {
            SOFTALIGN_UNROLL
            for (std::size_t line = 0; line < 2 * panel_columns; line += line_floats)
                __builtin_prefetch(b + stream_ahead + line);
            step();
            step();
        }
        if (i < k) step();
    } else if (ahead != nullptr) {
        for (std::size_t i = 0; i < k; ++i) {
            __builtin_prefetch(ahead + i * panel_columns);
            step();
        }
    } else {
        for (std::size_t i = 0; i < k; ++i) step();
    }
    SOFTALIGN_UNROLL
    for (std::size_t row = 0; row < Rows; ++row) {
        SOFTALIGN_UNROLL
        for (std::size_t v = 0; v < Vectors; ++v) store(c + row * c_stride + v * lanes, sum[row][v]);
    }
}

/// One tile's rows over the width of the panel. A single row takes the panel at once: then B streams from memory, and
/// only many independent sums keep up with it.
template <std::size_t Rows, std::size_t RowStride, std::size_t KStride>
void multiply_rows(const TileArguments& t) {
    constexpr std::size_t vectors = Rows == 1 ? Tile::panel_vectors : Tile::vectors;
    for (std::size_t v = 0; v < Tile::panel_vectors; v += vectors) {
        multiply_tile<Rows, vectors, RowStride, KStride>(t, v * lanes);
    }
}

/// Called through a table even if there is only one caller: Binaryen would inline it there, and in such large functions
/// browsers find no registers for the sums.
template <std::size_t RowStride, std::size_t KStride, std::size_t... LessRows>
void multiply_up_to(std::size_t rows, const TileArguments& t, std::index_sequence<LessRows...>) {
    static constexpr void (*kernels[])(const TileArguments&) = {multiply_rows<LessRows + 1, RowStride, KStride>...};
    kernels[rows - 1](t);
}

/// Rows of A, k_block long, side by side: [rows][copied_row_stride].
void copy_rows(const float* a, std::size_t row_stride, std::size_t rows, std::size_t k, float* copy) {
    for (std::size_t row = 0; row < rows; ++row) {
        std::memcpy(copy + row * copied_row_stride, a + row * row_stride, k * sizeof(float));
    }
}

/// A read transposed, in tiles of [k][Tile::rows].
void copy_transposed(const float* a, std::size_t k_stride, std::size_t rows, std::size_t k, float* copy) {
    for (std::size_t i = 0; i < k; ++i) {
        const float* const from = a + i * k_stride;
        // The rows are far apart, so the processor does not prefetch the next ones by itself.
        for (std::size_t row = 0; row < rows; row += line_floats) {
            __builtin_prefetch(from + rows_ahead * k_stride + row);
        }
        float* to = copy + i * Tile::rows;
        std::size_t row = 0;
        for (; row + Tile::rows <= rows; row += Tile::rows, to += copied_tile_floats) {
            std::memcpy(to, from + row, Tile::rows * sizeof(float));
        }
        if (row < rows) std::memcpy(to, from + row, (rows - row) * sizeof(float));
    }
}

/// `k` columns of A, block after block.
void copy_blocks(const float* a, const ProductBlock& block, std::size_t rows, std::size_t k, std::size_t block_floats,
                 float* copy) {
    for (std::size_t first = 0; first < k; first += k_block, copy += block_floats) {
        const float* const from = a + first * block.a_k_stride;
        const std::size_t length = smaller(k_block, k - first);
        if (block.a_k_stride == 1) {
            copy_rows(from, block.a_row_stride, rows, length, copy);
        } else {
            copy_transposed(from, block.a_k_stride, rows, length, copy);
        }
    }
}

/// One panel's part of a tile row: straight into C, or through a full-width buffer if the panel is not full.
void multiply_panel(std::size_t rows, std::size_t width, bool transposed, TileArguments t, float* edge) {
    float* const c = t.c;
    const std::size_t c_stride = t.c_stride;
    if (width < panel_columns) {
        for (std::size_t row = 0; row < rows; ++row) {
            std::memcpy(edge + row * panel_columns, t.start + row * t.start_stride, width * sizeof(float));
            std::memset(edge + row * panel_columns + width, 0, (panel_columns - width) * sizeof(float));
        }
        t.start = t.c = edge;
        t.start_stride = t.c_stride = panel_columns;
    }
    if (transposed) {
        multiply_up_to<1, Tile::rows>(rows, t, std::make_index_sequence<Tile::rows>{});
    } else {
        multiply_up_to<copied_row_stride, 1>(rows, t, std::make_index_sequence<Tile::rows>{});
    }
    if (width < panel_columns) {
        for (std::size_t row = 0; row < rows; ++row) {
            std::memcpy(c + row * c_stride, edge + row * panel_columns, width * sizeof(float));
        }
    }
}

/// Where the sums of a tile start: from C, from the bias, or from zero.
void set_start(const ProductBlock& block, bool first, std::size_t column, TileArguments& t) {
    if (!first || block.update == Update::add) {
        t.start = t.c;
        t.start_stride = t.c_stride;
    } else {
        t.start = block.bias != nullptr ? block.bias + column : zeros;
        t.start_stride = 0;
    }
}

void multiply_block(const ProductBlock& block, float* scratch) {
    const bool transposed = block.a_k_stride != 1;
    // A single row is read in place and streams each panel from end to end, because nothing is used twice.
    const bool single_row = block.rows == 1 && !transposed;
    float* const copied = scratch;
    float* const edge = copied + copied_floats;

    for (std::size_t first_row = 0; first_row < block.rows; first_row += row_block) {
        const std::size_t rows = smaller(row_block, block.rows - first_row);
        const std::size_t tiles = (rows + Tile::rows - 1) / Tile::rows;
        const std::size_t copied_block_floats = tiles * Tile::rows * copied_row_stride;
        // As much of these rows as fits into scratch: the fewer the rows, the longer the way along a panel.
        const std::size_t chunk = single_row ? block.k : copied_floats / copied_block_floats * k_block;
        std::size_t chunk_k = 0;
        do {
            const std::size_t chunk_end = smaller(block.k, chunk_k + chunk);
            const float* const a = block.a + first_row * block.a_row_stride + chunk_k * block.a_k_stride;
            if (!single_row) copy_blocks(a, block, rows, chunk_end - chunk_k, copied_block_floats, copied);
            for (std::size_t column = 0; column < block.columns; column += panel_columns) {
                const std::size_t width = smaller(panel_columns, block.columns - column);
                std::size_t k_done = chunk_k;
                do {
                    const std::size_t k = single_row ? block.k : smaller(k_block, chunk_end - k_done);
                    const float* const b = block.b + column * block.k + k_done * panel_columns;
                    const float* const left =
                        single_row ? a : copied + (k_done - chunk_k) / k_block * copied_block_floats;
                    for (std::size_t tile = 0; tile < tiles; ++tile) {
                        const std::size_t row = tile * Tile::rows;
                        TileArguments t{};
                        t.a = left + row * copied_row_stride;
                        t.b = b;
                        t.k = k;
                        t.c = block.c + (first_row + row) * block.c_row_stride + column;
                        t.c_stride = block.c_row_stride;
                        set_start(block, k_done == 0, column, t);
                        const bool prefetches = !single_row && tile * line_floats < panel_columns;
                        t.ahead = prefetches ? b + k * panel_columns + tile * line_floats : nullptr;
                        multiply_panel(smaller(Tile::rows, rows - row), width, transposed, t, edge);
                    }
                    k_done += k;
                } while (k_done < chunk_end);
            }
            chunk_k = chunk_end;
        } while (chunk_k < block.k);
    }
}

}  // namespace
}  // namespace softalign::simd::vectorised
