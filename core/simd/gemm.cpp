#include "core/simd/gemm.hpp"

#include <algorithm>
#include <new>

#include "core/simd/dispatch.hpp"
#include "core/simd/division.hpp"

namespace softalign::simd {

namespace {

constexpr std::align_val_t cache_line{64};

float* allocate(std::size_t floats) {
    return static_cast<float*>(::operator new[](floats * sizeof(float), cache_line));
}

/// Memory of the calling thread that multiply_block may use; kept, because products come by the thousand.
float* thread_scratch(std::size_t floats) {
    struct Scratch {
        float* data = nullptr;
        std::size_t size = 0;
        ~Scratch() { ::operator delete[](data, cache_line); }
    };
    thread_local Scratch scratch;
    if (scratch.size < floats) {
        ::operator delete[](scratch.data, cache_line);
        scratch.data = nullptr;
        scratch.size = 0;
        scratch.data = allocate(floats);
        scratch.size = floats;
    }
    return scratch.data;
}

void multiply_blocks(Executor& executor, const ProductBlock& product, std::size_t panel_stride) {
    const InstructionSet& set = active_instruction_set();
    const std::size_t panels = divide_up(product.columns, set.panel_columns);
    divide_product(executor, product.rows, panels, product.rows * product.columns * product.k,
                   [&](const Rectangle& part) {
                       const std::size_t column = part.first_panel * set.panel_columns;
                       ProductBlock block = product;
                       block.rows = part.rows;
                       block.columns = std::min(part.panels * set.panel_columns, product.columns - column);
                       block.a += part.first_row * product.a_row_stride;
                       block.b += part.first_panel * panel_stride;
                       block.c += part.first_row * product.c_row_stride + column;
                       if (block.bias != nullptr) block.bias += column;
                       set.multiply_block(block, thread_scratch(set.scratch_floats));
                   });
}

}  // namespace

void PackedMatrix::Free::operator()(float* memory) const {
    ::operator delete[](memory, cache_line);
}

void PackedMatrix::reserve(std::size_t rows, std::size_t columns) {
    const std::size_t panel = active_instruction_set().panel_columns;
    const std::size_t needed = divide_up(columns, panel) * panel * rows;
    if (needed > capacity_) {
        data_.reset();
        capacity_ = 0;
        data_.reset(allocate(needed));
        capacity_ = needed;
    }
    rows_ = rows;
    columns_ = columns;
}

PackedMatrix PackedMatrix::pack(MatrixView matrix) {
    PackedMatrix packed;
    packed.repack(matrix);
    return packed;
}

PackedMatrix PackedMatrix::pack_transposed(MatrixView matrix) {
    PackedMatrix packed;
    packed.repack_transposed(matrix);
    return packed;
}

void PackedMatrix::repack(MatrixView matrix) {
    reserve(matrix.rows, matrix.columns);
    const std::size_t panel = active_instruction_set().panel_columns;
    float* out = data_.get();
    for (std::size_t column = 0; column < columns_; column += panel) {
        const std::size_t width = std::min(panel, columns_ - column);
        for (std::size_t k = 0; k < rows_; ++k, out += panel) {
            std::copy_n(matrix.data + k * matrix.stride + column, width, out);
            std::fill(out + width, out + panel, 0.0F);
        }
    }
}

void PackedMatrix::repack_transposed(MatrixView matrix) {
    reserve(matrix.columns, matrix.rows);
    const std::size_t panel = active_instruction_set().panel_columns;
    // A line of the source is 16 floats: a strip of 16 k uses each line that it loads to the end.
    constexpr std::size_t strip = 16;
    for (std::size_t column = 0; column < columns_; column += panel) {
        const std::size_t width = std::min(panel, columns_ - column);
        float* out = data_.get() + column * rows_;
        for (std::size_t first = 0; first < rows_; first += strip) {
            const std::size_t last = std::min(first + strip, rows_);
            for (std::size_t j = 0; j < width; ++j) {
                const float* source = matrix.data + (column + j) * matrix.stride;
                for (std::size_t k = first; k < last; ++k) out[k * panel + j] = source[k];
            }
            for (std::size_t k = first; k < last; ++k) std::fill(out + k * panel + width, out + (k + 1) * panel, 0.0F);
        }
    }
}

void multiply(Executor& executor, MatrixView a, const PackedMatrix& b, MutableMatrixView c, Update update,
              const float* bias) {
    const std::size_t panel_stride = active_instruction_set().panel_columns * b.rows();
    multiply_blocks(executor,
                    {a.data, a.stride, 1, b.data(), 0, c.data, c.stride, update == Update::replace ? bias : nullptr,
                     c.rows, c.columns, b.rows(), update},
                    panel_stride);
}

void multiply_transposed(Executor& executor, MatrixView a, MatrixView b, MutableMatrixView c, Update update) {
    multiply_blocks(
        executor, {a.data, 1, a.stride, b.data, b.stride, c.data, c.stride, nullptr, c.rows, c.columns, a.rows, update},
        active_instruction_set().panel_columns);
}

}  // namespace softalign::simd
