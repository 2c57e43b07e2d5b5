#pragma once

#include <vector>

#include "core/nn/projection.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// result_r = matrix[rows_r]
Matrix gather_rows(simd::MatrixView matrix, const std::vector<std::size_t>& rows);
inline Matrix gather_rows(const Matrix& matrix, const std::vector<std::size_t>& rows) {
    return gather_rows(view(matrix), rows);
}

/// to[rows_r] = from_r
void scatter_rows(simd::MatrixView from, const std::vector<std::size_t>& rows, simd::MutableMatrixView to);

/// to_r = from_r
void copy_rows(simd::MatrixView from, simd::MutableMatrixView to);

}  // namespace softalign
