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

/// What multiplies in one precision.
struct ProductKernel {
    void (*multiply_block)(const ProductBlock& block, float* scratch);
    std::size_t scratch_floats;
};

ProductKernel kernel_of(Precision precision) {
    if (precision == Precision::bf16) return {bf16_products().multiply_block, bf16_products().scratch_floats};
    return {active_instruction_set().multiply_block, active_instruction_set().scratch_floats};
}

/// Floats, or pairs of bf16 in their place, in one column of a panel.
std::size_t panel_height(std::size_t k, Precision precision) {
    return precision == Precision::bf16 ? divide_up(k, 2) : k;
}

void pack_panel(const float* b, std::size_t row_stride, std::size_t width, std::size_t k, float* panel) {
    const std::size_t columns = active_instruction_set().panel_columns;
    for (std::size_t i = 0; i < k; ++i, panel += columns) {
        std::copy_n(b + i * row_stride, width, panel);
        std::fill(panel + width, panel + columns, 0.0F);
    }
}

void pack_panel_transposed(const float* b, std::size_t row_stride, std::size_t width, std::size_t k, float* panel) {
    const std::size_t columns = active_instruction_set().panel_columns;
    // A line of the source is 16 floats: a strip of 16 k uses each line that it loads to the end.
    constexpr std::size_t strip = 16;
    for (std::size_t first = 0; first < k; first += strip) {
        const std::size_t last = std::min(first + strip, k);
        for (std::size_t j = 0; j < width; ++j) {
            for (std::size_t i = first; i < last; ++i) panel[i * columns + j] = b[j * row_stride + i];
        }
        for (std::size_t i = first; i < last; ++i) {
            std::fill(panel + i * columns + width, panel + (i + 1) * columns, 0.0F);
        }
    }
}

void multiply_blocks(Executor& executor, const ProductBlock& product, std::size_t panel_stride, Precision precision) {
    const ProductKernel kernel = kernel_of(precision);
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
                       kernel.multiply_block(block, thread_scratch(kernel.scratch_floats));
                   });
}

}  // namespace

void PackedMatrix::Free::operator()(float* memory) const {
    ::operator delete[](memory, cache_line);
}

void PackedMatrix::reserve(std::size_t rows, std::size_t columns, Precision precision) {
    const std::size_t panel = active_instruction_set().panel_columns;
    const std::size_t needed = divide_up(columns, panel) * panel * panel_height(rows, precision);
    if (needed > capacity_) {
        data_.reset();
        capacity_ = 0;
        data_.reset(allocate(needed));
        capacity_ = needed;
    }
    rows_ = rows;
    columns_ = columns;
    precision_ = precision;
}

/// Calls pack_panel(first column, width, panel) for every panel.
template <typename PackPanel>
void PackedMatrix::fill(Executor& executor, const PackPanel& pack_panel) {
    const std::size_t panel_columns = active_instruction_set().panel_columns;
    const std::size_t panels = divide_up(columns_, panel_columns);
    const auto panel = [&](std::size_t index) {
        const std::size_t column = index * panel_columns;
        pack_panel(column, std::min(panel_columns, columns_ - column),
                   data_.get() + column * panel_height(rows_, precision_));
    };
    // Fewer elements are moved before another thread has woken up.
    constexpr std::size_t worth_dividing = 20'000;
    if (rows_ * columns_ >= worth_dividing) {
        executor.run(panels, panel);
    } else {
        for (std::size_t index = 0; index < panels; ++index) panel(index);
    }
}

PackedMatrix PackedMatrix::pack(MatrixView matrix, Precision precision) {
    SerialExecutor serial;
    PackedMatrix packed;
    packed.repack(serial, matrix, precision);
    return packed;
}

PackedMatrix PackedMatrix::pack_transposed(MatrixView matrix, Precision precision) {
    SerialExecutor serial;
    PackedMatrix packed;
    packed.repack_transposed(serial, matrix, precision);
    return packed;
}

void PackedMatrix::repack(Executor& executor, MatrixView matrix, Precision precision) {
    const auto pack = precision == Precision::bf16 ? bf16_products().pack_panel : pack_panel;
    reserve(matrix.rows, matrix.columns, precision);
    fill(executor, [&](std::size_t column, std::size_t width, float* panel) {
        pack(matrix.data + column, matrix.stride, width, rows_, panel);
    });
}

void PackedMatrix::repack_transposed(Executor& executor, MatrixView matrix, Precision precision) {
    const auto pack = precision == Precision::bf16 ? bf16_products().pack_panel_transposed : pack_panel_transposed;
    reserve(matrix.columns, matrix.rows, precision);
    fill(executor, [&](std::size_t column, std::size_t width, float* panel) {
        pack(matrix.data + column * matrix.stride, matrix.stride, width, rows_, panel);
    });
}

void multiply(Executor& executor, MatrixView a, const PackedMatrix& b, MutableMatrixView c, Update update,
              const float* bias) {
    multiply_blocks(executor,
                    {a.data, a.stride, 1, b.data(), 0, c.data, c.stride, update == Update::replace ? bias : nullptr,
                     c.rows, c.columns, b.rows(), update},
                    active_instruction_set().panel_columns * panel_height(b.rows(), b.precision()), b.precision());
}

void multiply_transposed(Executor& executor, MatrixView a, MatrixView b, MutableMatrixView c, Update update,
                         Precision precision) {
    multiply_blocks(
        executor, {a.data, 1, a.stride, b.data, b.stride, c.data, c.stride, nullptr, c.rows, c.columns, a.rows, update},
        active_instruction_set().panel_columns, precision);
}

}  // namespace softalign::simd
