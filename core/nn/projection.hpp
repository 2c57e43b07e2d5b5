#pragma once

#include <vector>

#include "core/nn/quantize.hpp"
#include "core/simd/gemm.hpp"
#include "core/simd/int8.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// Whether weights are laid out only for running a model, or for training it as well.
enum class Passes { forward, forward_and_backward };

/// How weights are prepared for their products: with which executor, for which passes, and in which precision.
struct Preparation {
    simd::Executor& executor;
    Passes passes;
    simd::Precision precision;
};

/// How many rows a training pass multiplies at a time: those of one step, for which the weights are laid out
/// beforehand, or those of a whole batch. Compared with that many rows, laying the weights out anew in every product
/// costs little, and saves the memory of the layouts, each as large as the weights.
enum class Rows { of_a_step, of_a_batch };

/// Some of the columns of a matrix.
struct ColumnRange {
    std::size_t first;
    std::size_t count;
};
inline ColumnRange all_columns(const Matrix& matrix) {
    return {0, matrix.shape(1)};
}
inline ColumnRange all_columns(const QuantizedMatrix& matrix) {
    return {0, matrix.columns};
}

/// A matrix W [out, in], or a block of its columns, prepared for products with rows.
class Projection {
  public:
    Projection() = default;

    /// Lays the weights out. Call it again after they change; the memory is kept. If both passes take the rows of a
    /// batch, it is a view of the weights instead.
    void set(const Preparation& preparation, const Matrix& weight, ColumnRange columns, Rows rows = Rows::of_a_step);
    /// The same for stored 8-bit rows, which run forward only, in int8.
    void set(const Preparation& preparation, const QuantizedMatrix& weight, ColumnRange columns,
             Rows rows = Rows::of_a_step);

    bool empty() const { return outputs() == 0; }
    std::size_t outputs() const;

    /// y [R, out] (+)= x [R, in] W^T + bias [out]
    void forward(simd::Executor& executor, simd::MatrixView x, simd::MutableMatrixView y, simd::Update update,
                 const Vector* bias = nullptr) const;

    /// dx [R, in] (+)= dy [R, out] W
    void backward(simd::Executor& executor, simd::MatrixView dy, simd::MutableMatrixView dx, simd::Update update) const;

    /// dW [out, in] += dy^T x, summed over all rows of a product.
    void weight_gradient(simd::Executor& executor, simd::MatrixView dy, simd::MatrixView x,
                         simd::MutableMatrixView dW) const;

  private:
    simd::PackedInt8Matrix int8_;  // [in, out], instead of forward_ if the precision is int8
    simd::PackedMatrix forward_;   // [in, out]
    simd::PackedMatrix backward_;  // [out, in]
    simd::MatrixView weight_{};    // [out, in], instead of both for the rows of a batch
    simd::Precision precision_ = simd::Precision::f32;
};

/// A matrix W [out, in] that reads several vectors side by side, such as [h; context]. If it runs forward only, the
/// part of each is laid out by itself, so that its product can be had alone; in floats, the sums are the same to the
/// bit.
class JoinedProjection {
  public:
    struct Part {
        ColumnRange columns;  ///< of what is read
        Projection weights;
    };

    /// W is the columns of `weight`, a Matrix or a QuantizedMatrix, from `first` on.
    /// @param widths of the vectors; their sum is `in`
    template <typename Weights>
    void set(const Preparation& preparation, const Weights& weight, std::size_t first,
             const std::vector<std::size_t>& widths, Rows rows = Rows::of_a_step);

    const std::vector<Part>& parts() const { return parts_; }
    /// All of it, if it runs backward as well.
    const Projection& whole() const { return parts_.front().weights; }

    /// y [R, out] (+)= x [R, in] W^T + bias [out]
    void forward(simd::Executor& executor, simd::MatrixView x, simd::MutableMatrixView y, simd::Update update,
                 const Vector* bias = nullptr) const;

  private:
    std::vector<Part> parts_;
};

/// db [out] += the sum of the rows of dy.
void bias_gradient(simd::Executor& executor, simd::MatrixView dy, Vector& db);

}  // namespace softalign
