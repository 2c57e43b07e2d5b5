#include "core/simd/gemm.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/simd/dispatch.hpp"
#include "core/simd/division.hpp"

namespace softalign::simd {

namespace {

constexpr std::align_val_t cache_line{64};

float* allocate(std::size_t floats) {
    return static_cast<float*>(::operator new[](floats * sizeof(float), cache_line));
}

/// Memory of the calling thread for multiply_block. It is kept, because products come by the thousand.
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

/// The functions that multiply in one precision.
struct ProductKernel {
    void (*multiply_block)(const ProductBlock& block, float* scratch);
    std::size_t scratch_floats;
};

ProductKernel kernel_of(Precision precision) {
    if (precision == Precision::bf16) return {bf16_products().multiply_block, bf16_products().scratch_floats};
    return {active_instruction_set().multiply_block, active_instruction_set().scratch_floats};
}

/// Floats, or the pairs of bf16 that replace them, in one column of a panel.
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

using Four = float __attribute__((vector_size(16)));

Four load_four(const float* from) {
    Four result;
    std::memcpy(&result, from, sizeof result);
    return result;
}

/// A block of [columns 4][k 4], its rows `row_stride` apart, becomes [k 4][columns 4] of a panel.
void pack_transposed_block(const float* b, std::size_t row_stride, float* panel, std::size_t panel_columns) {
    const Four row0 = load_four(b);
    const Four row1 = load_four(b + row_stride);
    const Four row2 = load_four(b + 2 * row_stride);
    const Four row3 = load_four(b + 3 * row_stride);
    const Four low01 = __builtin_shufflevector(row0, row1, 0, 4, 1, 5);
    const Four low23 = __builtin_shufflevector(row2, row3, 0, 4, 1, 5);
    const Four high01 = __builtin_shufflevector(row0, row1, 2, 6, 3, 7);
    const Four high23 = __builtin_shufflevector(row2, row3, 2, 6, 3, 7);
    const Four columns[] = {
        __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
        __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
    for (const Four& column : columns) {
        std::memcpy(panel, &column, sizeof column);
        panel += panel_columns;
    }
}

void pack_panel_transposed(const float* b, std::size_t row_stride, std::size_t width, std::size_t k, float* panel) {
    const std::size_t columns = active_instruction_set().panel_columns;
    const std::size_t whole_width = width / 4 * 4;
    // A line of the source is 16 floats: a strip of 16 k uses each line that it loads to the end.
    constexpr std::size_t strip = 16;
    for (std::size_t first = 0; first < k; first += strip) {
        const std::size_t last = std::min(first + strip, k);
        const std::size_t whole_last = first + (last - first) / 4 * 4;
        for (std::size_t j = 0; j < whole_width; j += 4) {
            for (std::size_t i = first; i < whole_last; i += 4) {
                pack_transposed_block(b + j * row_stride + i, row_stride, panel + i * columns + j, columns);
            }
        }
        for (std::size_t i = first; i < last; ++i) {
            float* const to = panel + i * columns;
            for (std::size_t j = i < whole_last ? whole_width : 0; j < width; ++j) to[j] = b[j * row_stride + i];
            std::fill(to + width, to + columns, 0.0F);
        }
    }
}

using PackPanel = void (*)(const float* b, std::size_t row_stride, std::size_t width, std::size_t k, float* panel);

PackPanel packing(Precision precision) {
    return precision == Precision::bf16 ? bf16_products().pack_panel : pack_panel;
}
PackPanel packing_transposed(Precision precision) {
    return precision == Precision::bf16 ? bf16_products().pack_panel_transposed : pack_panel_transposed;
}

/// A product whose B is not set yet.
/// C[M, N] (+)= A[M, K] · B + bias, all of it in one block, B left out.
ProductBlock whole_product(MatrixView a, MutableMatrixView c, Update update, const float* bias) {
    return {a.data, a.stride,  1,         nullptr, c.data, c.stride, update == Update::replace ? bias : nullptr,
            c.rows, c.columns, a.columns, update};
}

/// The same with the transpose of A[K, M].
ProductBlock whole_product_of_transpose(MatrixView a, MutableMatrixView c, Update update) {
    return {a.data, 1, a.stride, nullptr, c.data, c.stride, nullptr, c.rows, c.columns, a.rows, update};
}

/// Runs task(rectangle of the product, first panel) for every worker's part of a product. B is left to the task.
template <typename Task>
void divide_blocks(Executor& executor, const ProductBlock& product, const Task& task) {
    const std::size_t panel_columns = active_instruction_set().panel_columns;
    divide_product(executor, product.rows, divide_up(product.columns, panel_columns),
                   product.rows * product.columns * product.k, [&](const Rectangle& part) {
                       const std::size_t column = part.first_panel * panel_columns;
                       ProductBlock block = product;
                       block.rows = part.rows;
                       block.columns = std::min(part.panels * panel_columns, product.columns - column);
                       block.a += part.first_row * product.a_row_stride;
                       block.c += part.first_row * product.c_row_stride + column;
                       if (block.bias != nullptr) block.bias += column;
                       task(block, part.first_panel);
                   });
}

/// Rows [k, k + count) and columns [column, column + width) of B become a panel.
void pack_part(const UnpackedMatrix& b, std::size_t k, std::size_t column, std::size_t count, std::size_t width,
               float* panel) {
    const auto& [data, rows, columns, stride] = b.matrix;
    if (b.transposed) {
        packing_transposed(b.precision)(data + column * stride + k, stride, width, count, panel);
    } else {
        packing(b.precision)(data + k * stride + column, stride, width, count, panel);
    }
}

/// Lays out as much of B at a time as stays in the cache while all rows pass over it.
void multiply_unpacked(Executor& executor, const ProductBlock& product, const UnpackedMatrix& b) {
    constexpr std::size_t packed_k = 1024;
    constexpr std::size_t packed_floats = 512 * packed_k;
    const ProductKernel kernel = kernel_of(b.precision);
    const std::size_t panel_columns = active_instruction_set().panel_columns;
    const std::size_t height = panel_height(std::clamp<std::size_t>(product.k, 1, packed_k), b.precision);
    const std::size_t packed_columns = packed_floats / (height * panel_columns) * panel_columns;
    divide_blocks(executor, product, [&](const ProductBlock& part, std::size_t first_panel) {
        float* const scratch = thread_scratch(kernel.scratch_floats + packed_floats);
        float* const packed = scratch + kernel.scratch_floats;
        std::size_t k = 0;
        do {
            ProductBlock block = part;
            block.k = std::min(packed_k, part.k - k);
            block.a = part.a + k * part.a_k_stride;
            block.b = packed;
            if (k > 0) block.update = Update::add;
            for (std::size_t first = 0; first < part.columns; first += packed_columns) {
                block.columns = std::min(packed_columns, part.columns - first);
                block.c = part.c + first;
                block.bias = part.bias != nullptr ? part.bias + first : nullptr;
                for (std::size_t column = 0; column < block.columns; column += panel_columns) {
                    pack_part(b, k, first_panel * panel_columns + first + column, block.k,
                              std::min(panel_columns, block.columns - column),
                              packed + column * panel_height(block.k, b.precision));
                }
                kernel.multiply_block(block, scratch);
            }
            k += block.k;
        } while (k < part.k);
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
    // Fewer elements are moved before another thread would have woken up.
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
    const PackPanel pack_one = packing(precision);
    reserve(matrix.rows, matrix.columns, precision);
    fill(executor, [&](std::size_t column, std::size_t width, float* panel) {
        pack_one(matrix.data + column, matrix.stride, width, rows_, panel);
    });
}

void PackedMatrix::repack_transposed(Executor& executor, MatrixView matrix, Precision precision) {
    const PackPanel pack_one = packing_transposed(precision);
    reserve(matrix.columns, matrix.rows, precision);
    fill(executor, [&](std::size_t column, std::size_t width, float* panel) {
        pack_one(matrix.data + column * matrix.stride, matrix.stride, width, rows_, panel);
    });
}

void multiply(Executor& executor, MatrixView a, const PackedMatrix& b, MutableMatrixView c, Update update,
              const float* bias) {
    const ProductKernel kernel = kernel_of(b.precision());
    const std::size_t panel_floats = active_instruction_set().panel_columns * panel_height(b.rows(), b.precision());
    divide_blocks(executor, whole_product(a, c, update, bias), [&](ProductBlock block, std::size_t first_panel) {
        block.b = b.data() + first_panel * panel_floats;
        kernel.multiply_block(block, thread_scratch(kernel.scratch_floats));
    });
}

void multiply(Executor& executor, MatrixView a, const UnpackedMatrix& b, MutableMatrixView c, Update update,
              const float* bias) {
    multiply_unpacked(executor, whole_product(a, c, update, bias), b);
}

void multiply_transposed(Executor& executor, MatrixView a, MatrixView b, MutableMatrixView c, Update update,
                         Precision precision) {
    multiply_unpacked(executor, whole_product_of_transpose(a, c, update), {b, false, precision});
}

}  // namespace softalign::simd
