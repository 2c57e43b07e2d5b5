#include "core/simd/gemm.hpp"

#include <algorithm>
#include <new>

#include "core/simd/dispatch.hpp"

namespace softalign::simd {

namespace {

constexpr std::align_val_t cache_line{64};

/// Below this many multiply-adds a product is done before a thread has woken up.
constexpr std::size_t worth_dividing = 20'000;

std::size_t divide_up(std::size_t amount, std::size_t by) {
    return (amount + by - 1) / by;
}

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

/// Divides the product into rectangles of whole panels and whole row blocks, and runs them.
void multiply_blocks(Executor& executor, const ProductBlock& product, std::size_t panel_stride) {
    const InstructionSet& set = active_instruction_set();
    if (product.rows == 0 || product.columns == 0) return;

    const std::size_t panels = divide_up(product.columns, set.panel_columns);
    constexpr std::size_t smallest_row_block = 16;
    const bool divided = product.rows * product.columns * product.k >= worth_dividing && executor.workers() > 1;
    const std::size_t wanted = divided ? 2 * executor.workers() : 1;
    const std::size_t column_tasks = std::min(panels, wanted);
    const std::size_t row_tasks =
        std::min(divide_up(wanted, column_tasks), divide_up(product.rows, smallest_row_block));
    const std::size_t task_panels = divide_up(panels, column_tasks);
    const std::size_t task_rows = divide_up(product.rows, row_tasks);

    const auto task = [&](std::size_t index) {
        const std::size_t first_row = index / column_tasks * task_rows;
        const std::size_t first_panel = index % column_tasks * task_panels;
        const std::size_t first_column = first_panel * set.panel_columns;
        if (first_row >= product.rows || first_column >= product.columns) return;
        ProductBlock block = product;
        block.rows = std::min(task_rows, product.rows - first_row);
        block.columns = std::min(task_panels * set.panel_columns, product.columns - first_column);
        block.a += first_row * product.a_row_stride;
        block.b += first_panel * panel_stride;
        block.c += first_row * product.c_row_stride + first_column;
        if (block.bias != nullptr) block.bias += first_column;
        set.multiply_block(block, thread_scratch(set.scratch_floats));
    };
    const std::size_t tasks = row_tasks * column_tasks;
    if (tasks == 1) {
        task(0);
    } else {
        executor.run(tasks, task);
    }
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
