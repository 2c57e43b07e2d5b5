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

}  // namespace

PackedInt8Matrix PackedInt8Matrix::pack_transposed(const std::int8_t* integers, const float* scales,
                                                   std::size_t columns, std::size_t rows) {
    const std::size_t panel = active_instruction_set().panel_columns;
    const std::size_t pairs = divide_up(rows, 2);
    const std::size_t padded_columns = divide_up(columns, panel) * panel;
    PackedInt8Matrix packed;
    packed.rows_ = rows;
    packed.columns_ = columns;
    packed.data_.assign(padded_columns * pairs * 2, 0);
    packed.scales_.assign(padded_columns, 0.0F);
    std::copy_n(scales, columns, packed.scales_.begin());
    // A line of the source is 32 pairs: a strip of them uses each line that it loads to the end.
    constexpr std::size_t strip = 32;
    for (std::size_t panel_column = 0; panel_column < columns; panel_column += panel) {
        std::int8_t* const out = packed.data_.data() + panel_column * pairs * 2;
        const std::size_t width = std::min(panel, columns - panel_column);
        for (std::size_t first = 0; first < pairs; first += strip) {
            const std::size_t whole = std::min(first + strip, rows / 2);
            for (std::size_t j = 0; j < width; ++j) {
                const std::int8_t* const in = integers + (panel_column + j) * rows;
                for (std::size_t p = first; p < whole; ++p) std::memcpy(out + (p * panel + j) * 2, in + 2 * p, 2);
            }
        }
        for (std::size_t j = 0; rows % 2 != 0 && j < width; ++j) {
            out[(rows / 2 * panel + j) * 2] = integers[(panel_column + j) * rows + rows - 1];
        }
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
