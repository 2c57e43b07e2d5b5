#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/simd/executor.hpp"
#include "core/simd/gemm.hpp"
#include "core/simd/views.hpp"

namespace softalign::simd {

/// The right-hand side B[K, N] of products whose weights are 8-bit integers, each column with a scale:
/// B_kn = scales_n * integers_nk. Laid out in panels as PackedMatrix is, with the integers of two neighbouring k side
/// by side.
class PackedInt8Matrix {
  public:
    PackedInt8Matrix() = default;

    /// From the transpose: `integers` [N, K], one row for every output as in y = W x, `stride` apart, and `scales` [N].
    static PackedInt8Matrix pack_transposed(const std::int8_t* integers, std::size_t stride, const float* scales,
                                            std::size_t columns, std::size_t rows);

    std::size_t rows() const { return rows_; }        ///< K
    std::size_t columns() const { return columns_; }  ///< N
    const std::int8_t* data() const { return data_.data(); }
    const float* scales() const { return scales_.data(); }  ///< padded with zeros to whole panels
    bool empty() const { return columns_ == 0; }

  private:
    std::vector<std::int8_t> data_;
    std::vector<float> scales_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
};

/// C[M, N] = A[M, K] · B[K, N] (+ C) (+ bias[N], when not null and the update replaces).
///
/// Each row of A is rounded to 16-bit integers, its greatest magnitude to 32767. Their products with the weights are
/// added exactly, 512 at a time, and these sums as floats, so that the bits of the result depend neither on the
/// instruction set nor on M or the number of workers. A row that is not finite gives NaNs.
void multiply(Executor& executor, MatrixView a, const PackedInt8Matrix& b, MutableMatrixView c, Update update,
              const float* bias = nullptr);

}  // namespace softalign::simd
