#pragma once

#include "core/simd/gemm.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// Whether weights are laid out for running a model only, or for training it too.
enum class Passes { forward, forward_and_backward };

/// A matrix W [out, in], or a block of columns of one, laid out for products with rows.
class Projection {
  public:
    Projection() = default;

    /// Lays the weights out, again after they changed; the memory is kept.
    /// @param precision of this matrix's products: forward, backward and the weights' gradient
    void set(simd::Executor& executor, simd::MatrixView weight, Passes passes, simd::Precision precision);

    bool empty() const { return forward_.empty(); }
    std::size_t outputs() const { return forward_.columns(); }

    /// y [R, out] (+)= x [R, in] W^T + bias [out]
    void forward(simd::Executor& executor, simd::MatrixView x, simd::MutableMatrixView y, simd::Update update,
                 const Vector* bias = nullptr) const;

    /// dx [R, in] (+)= dy [R, out] W
    void backward(simd::Executor& executor, simd::MatrixView dy, simd::MutableMatrixView dx, simd::Update update) const;

    /// dW [out, in] += dy^T x: what all rows of a product contribute to its weights.
    void weight_gradient(simd::Executor& executor, simd::MatrixView dy, simd::MatrixView x,
                         simd::MutableMatrixView dW) const;

  private:
    simd::PackedMatrix forward_;   // [in, out]
    simd::PackedMatrix backward_;  // [out, in]
};

/// db [out] += the sum of the rows of dy.
void bias_gradient(simd::MatrixView dy, Vector& db);

}  // namespace softalign
