#pragma once

#include <cstddef>
#include <memory>

#include "core/simd/executor.hpp"
#include "core/simd/views.hpp"

namespace softalign::simd {

/// Whether a product replaces what the output holds or is added to it.
enum class Update { replace, add };

/// The number format of a product's factors; sums are always floats. bf16 rounds every factor to 8 bits of mantissa,
/// which changes it by up to 1/256. int8 is for weights stored in 8 bits (PackedInt8Matrix), which are used as they
/// are, while the other factors are rounded to 16 bits.
enum class Precision { f32, bf16, int8 };

/// Whether the instruction set in use multiplies in bf16. If not, asking for bf16 throws UsageError.
bool has_bf16();

/// The right-hand side of many products, laid out once in the order in which kernels read it.
///
/// Panels of as many columns as the instruction set's tile is wide, each panel contiguous over all K rows, so that
/// both a single row (decoding, bound by memory) and a block of rows (training, bound by arithmetic) walk it forward.
class PackedMatrix {
  public:
    PackedMatrix() = default;

    /// B[K, N] = matrix[K, N].
    static PackedMatrix pack(MatrixView matrix, Precision precision = Precision::f32);
    /// B[K, N] = transpose of matrix[N, K]: how the weights of a linear layer y = W x are read forward.
    static PackedMatrix pack_transposed(MatrixView matrix, Precision precision = Precision::f32);

    /// The same layouts in the memory that this object already has, for weights that change with every step.
    void repack(Executor& executor, MatrixView matrix, Precision precision = Precision::f32);
    void repack_transposed(Executor& executor, MatrixView matrix, Precision precision = Precision::f32);

    std::size_t rows() const { return rows_; }        ///< K
    std::size_t columns() const { return columns_; }  ///< N
    Precision precision() const { return precision_; }
    const float* data() const { return data_.get(); }
    bool empty() const { return columns_ == 0; }

  private:
    struct Free {
        void operator()(float* memory) const;
    };
    void reserve(std::size_t rows, std::size_t columns, Precision precision);
    template <typename PackPanel>
    void fill(Executor& executor, const PackPanel& pack_panel);

    std::unique_ptr<float[], Free> data_;
    std::size_t capacity_ = 0;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    Precision precision_ = Precision::f32;
};

/// C[M, N] = A[M, K] · B[K, N] (+ C) (+ bias[N] to every row, when not null and the update replaces), A in the
/// precision that B is packed in.
///
/// The bits of an element of C depend neither on M nor on the place of its row nor on the number of workers: on one
/// instruction set, it is accumulated over k in one fixed order.
void multiply(Executor& executor, MatrixView a, const PackedMatrix& b, MutableMatrixView c, Update update,
              const float* bias = nullptr);

/// The right-hand side of a product as it is: every worker lays out the parts it reads as it goes. That costs little
/// compared with hundreds of rows, and no layout stays in memory.
struct UnpackedMatrix {
    MatrixView matrix;        ///< B[K, N], or its transpose [N, K]
    bool transposed = false;  ///< so that B is the transpose of `matrix`
    Precision precision = Precision::f32;

    std::size_t rows() const { return transposed ? matrix.columns : matrix.rows; }  ///< K
};

/// The same bits as with a packed matrix.
void multiply(Executor& executor, MatrixView a, const UnpackedMatrix& b, MutableMatrixView c, Update update,
              const float* bias = nullptr);

/// C[M, N] (+)= transpose(A[R, M]) · B[R, N]: the weight gradient of a linear layer, summed over the rows in order.
void multiply_transposed(Executor& executor, MatrixView a, MatrixView b, MutableMatrixView c, Update update,
                         Precision precision = Precision::f32);

}  // namespace softalign::simd
