#include "core/simd/int8.hpp"

#include <algorithm>
#include <cstring>

#include "core/simd/dispatch.hpp"
#include "core/simd/division.hpp"

namespace softalign::simd {

namespace {

/// The rows of A as integers, [M][2 * pairs], and the scale of each.
struct QuantisedRows {
    std::vector<std::int16_t> integers;
    std::vector<float> scales;
};

/// The integers of eight neighbouring pairs of k, a pair in each element.
using Pairs = std::int16_t __attribute__((vector_size(16)));

Pairs interleave_low(Pairs a, Pairs b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
Pairs interleave_high(Pairs a, Pairs b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// in: eight rows of eight pairs; out: eight columns, a vector each.
void transpose(const std::int8_t* in, std::size_t stride, std::int8_t* out, std::size_t out_stride) {
    Pairs rows[8];
    for (std::size_t r = 0; r < 8; ++r) std::memcpy(&rows[r], in + r * stride, sizeof(Pairs));
    // Three times rows r and r + 4 become rows 2 r and 2 r + 1, which brings each element to its column.
    for (int round = 0; round < 3; ++round) {
        Pairs next[8];
        for (std::size_t r = 0; r < 4; ++r) {
            next[2 * r] = interleave_low(rows[r], rows[r + 4]);
            next[2 * r + 1] = interleave_high(rows[r], rows[r + 4]);
        }
        std::copy_n(next, 8, rows);
    }
    for (std::size_t r = 0; r < 8; ++r) std::memcpy(out + r * out_stride, &rows[r], sizeof(Pairs));
}

/// One panel: `width` rows of `k` integers, `stride` apart, become columns of pairs, `panel` side by side.
void pack_panel(const std::int8_t* integers, std::size_t stride, std::size_t width, std::size_t k, std::size_t panel,
                std::int8_t* out) {
    const std::size_t whole_rows = width / 8 * 8;
    const std::size_t whole_pairs = k / 16 * 8;
    for (std::size_t j = 0; j < whole_rows; j += 8) {
        for (std::size_t p = 0; p < whole_pairs; p += 8) {
            transpose(integers + j * stride + 2 * p, stride, out + (p * panel + j) * 2, panel * 2);
        }
    }
    for (std::size_t j = 0; j < width; ++j) {
        const std::int8_t* const row = integers + j * stride;
        for (std::size_t i = j < whole_rows ? 2 * whole_pairs : 0; i < k; ++i) {
            out[(i / 2 * panel + j) * 2 + i % 2] = row[i];
        }
    }
}

}  // namespace

PackedInt8Matrix PackedInt8Matrix::pack_transposed(const std::int8_t* integers, std::size_t stride, const float* scales,
                                                   std::size_t columns, std::size_t rows) {
    const std::size_t panel = active_instruction_set().panel_columns;
    const std::size_t pairs = divide_up(rows, 2);
    const std::size_t padded_columns = divide_up(columns, panel) * panel;
    PackedInt8Matrix packed;
    packed.rows_ = rows;
    packed.columns_ = columns;
    packed.data_.reserve(padded_columns * pairs * 2);
    packed.scales_.assign(padded_columns, 0.0F);
    std::copy_n(scales, columns, packed.scales_.begin());
    for (std::size_t column = 0; column < columns; column += panel) {
        const std::size_t begin = packed.data_.size();
        packed.data_.resize(begin + panel * pairs * 2);  // one panel at a time, while its zeros are still in the cache
        pack_panel(integers + column * stride, stride, std::min(panel, columns - column), rows, panel,
                   packed.data_.data() + begin);
    }
    return packed;
}

void multiply(Executor& executor, MatrixView a, const PackedInt8Matrix& b, MutableMatrixView c, Update update,
              const float* bias) {
    const InstructionSet& set = active_instruction_set();
    const std::size_t pairs = divide_up(b.rows(), 2);
    const std::size_t row_stride = 2 * pairs;

    // Kept, because a decoder multiplies thousands of times.
    thread_local QuantisedRows kept;
    QuantisedRows& quantised = kept;
    quantised.integers.resize(c.rows * row_stride);
    quantised.scales.resize(c.rows);
    for (std::size_t row = 0; row < c.rows; ++row) {
        std::int16_t* const integers = quantised.integers.data() + row * row_stride;
        quantised.scales[row] = set.quantise_row(a.data + row * a.stride, b.rows(), integers);
        if (b.rows() % 2 != 0) integers[b.rows()] = 0;
    }

    const std::size_t panels = divide_up(c.columns, set.panel_columns);
    divide_product(executor, c.rows, panels, c.rows * c.columns * b.rows(), [&](const Rectangle& part) {
        const std::size_t column = part.first_panel * set.panel_columns;
        Int8Block block{};
        block.a = quantised.integers.data() + part.first_row * row_stride;
        block.a_scales = quantised.scales.data() + part.first_row;
        block.b = b.data() + column * row_stride;
        block.b_scales = b.scales() + column;
        block.c = c.data + part.first_row * c.stride + column;
        block.c_row_stride = c.stride;
        block.bias = update == Update::replace && bias != nullptr ? bias + column : nullptr;
        block.rows = part.rows;
        block.columns = std::min(part.panels * set.panel_columns, c.columns - column);
        block.pairs = pairs;
        block.update = update;
        set.multiply_int8_block(block);
    });
}

}  // namespace softalign::simd
