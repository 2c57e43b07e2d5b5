#include "core/nn/projection.hpp"

#include "core/simd/kernels.hpp"

namespace softalign {

void Projection::set(simd::Executor& executor, simd::MatrixView weight, Passes passes, simd::Precision precision) {
    forward_.repack_transposed(executor, weight, precision);
    if (passes == Passes::forward_and_backward) backward_.repack(executor, weight, precision);
}

void Projection::forward(simd::Executor& executor, simd::MatrixView x, simd::MutableMatrixView y, simd::Update update,
                         const Vector* bias) const {
    simd::multiply(executor, x, forward_, y, update, bias == nullptr ? nullptr : bias->data());
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
