#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/simd/executor.hpp"
#include "core/simd/gemm.hpp"
#include "core/simd/views.hpp"

namespace softalign::simd {

/// How the left-hand rows of a product with 8-bit weights become integers of 16 bits. `coarse`: to 14 or 15 bits of the
/// row's greatest magnitude, which is far less of an error than that of the weights. `fine`: what rounding left becomes
/// integers again, for K = 1024 to 28 bits, more than a float has, at twice the work. Two machines whose inputs differ
/// in the last place round some of them apart: where results are fed back, over a hundred steps, only `fine` keeps that
/// small.
enum class Rounding { fine, coarse };

/// The right-hand side B[K, N] of products whose weights are 8-bit integers, each column with a scale:
/// B_kn = scales_n * integers_nk. Laid out in panels as PackedMatrix is, with the integers of two neighbouring k side
/// by side.
class PackedInt8Matrix {
  public:
    PackedInt8Matrix() = default;

    /// From the transpose: `integers` [N, K], one row for every output as in y = W x, and `scales` [N].
    static PackedInt8Matrix pack_transposed(const std::int8_t* integers, const float* scales, std::size_t columns,
                                            std::size_t rows, Rounding rounding);

    std::size_t rows() const { return rows_; }        ///< K
    std::size_t columns() const { return columns_; }  ///< N
    const std::int8_t* data() const { return data_.data(); }
    const float* scales() const { return scales_.data(); }  ///< padded with zeros to whole panels
    Rounding rounding() const { return rounding_; }
    bool empty() const { return columns_ == 0; }

  private:
    std::vector<std::int8_t> data_;
    std::vector<float> scales_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    Rounding rounding_ = Rounding::fine;
};

/// C[M, N] = A[M, K] · B[K, N] (+ C) (+ bias[N], when not null and the update replaces).
///
/// Each row of A is rounded to integers as large as K sums of their products with 8-bit integers allow in 32 bits. The
/// sums are exact, so that the result is the same bits on every instruction set, whatever M, and for any number of
/// workers. A row that is not finite gives NaNs.
void multiply(Executor& executor, MatrixView a, const PackedInt8Matrix& b, MutableMatrixView c, Update update,
              const float* bias = nullptr);

}  // namespace softalign::simd
