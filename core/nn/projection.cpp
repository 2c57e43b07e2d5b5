#include "core/nn/projection.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "core/nn/quantize.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

namespace {

// The rows that a file stored as integers give the same integers again, since each holds its greatest, 127 times the
// scale. The scale is that of the whole row, also for a block of its columns.
simd::PackedInt8Matrix pack_int8(const Matrix& weight, ColumnRange columns) {
    const QuantizedMatrix whole = quantize(weight.data(), weight.shape(0), weight.shape(1));
    std::vector<std::int8_t> block(whole.rows * columns.count);  // [out, in]
    for (std::size_t r = 0; r < whole.rows; ++r) {
        std::copy_n(whole.values.data() + r * whole.columns + columns.first, columns.count,
                    block.data() + r * columns.count);
    }
    return simd::PackedInt8Matrix::pack_transposed(block.data(), whole.scale.data(), whole.rows, columns.count);
}

}  // namespace

void Projection::set(simd::Executor& executor, const Matrix& weight, Passes passes, simd::Precision precision) {
    set(executor, weight, {0, weight.shape(1)}, passes, precision);
}

void Projection::set(simd::Executor& executor, const Matrix& weight, ColumnRange columns, Passes passes,
                     simd::Precision precision) {
    const simd::MatrixView block = view(weight).columns_from(columns.first, columns.count);
    if (precision == simd::Precision::int8) {
        assert(passes == Passes::forward);
        int8_ = pack_int8(weight, columns);
        return;
    }
    forward_.repack_transposed(executor, block, precision);
    if (passes == Passes::forward_and_backward) backward_.repack(executor, block, precision);
}

void Projection::forward(simd::Executor& executor, simd::MatrixView x, simd::MutableMatrixView y, simd::Update update,
                         const Vector* bias) const {
    const float* added = bias == nullptr ? nullptr : bias->data();
    if (int8_.empty()) {
        simd::multiply(executor, x, forward_, y, update, added);
    } else {
        simd::multiply(executor, x, int8_, y, update, added);
    }
}

void Projection::backward(simd::Executor& executor, simd::MatrixView dy, simd::MutableMatrixView dx,
                          simd::Update update) const {
    simd::multiply(executor, dy, backward_, dx, update);
}

void Projection::weight_gradient(simd::Executor& executor, simd::MatrixView dy, simd::MatrixView x,
                                 simd::MutableMatrixView dW) const {
    simd::multiply_transposed(executor, dy, x, dW, simd::Update::add, forward_.precision());
}

void bias_gradient(simd::MatrixView dy, Vector& db) {
    for (std::size_t r = 0; r < dy.rows; ++r) simd::add(dy.data + r * dy.stride, db.data(), dy.columns);
}

}  // namespace softalign
