#include "core/nn/rows.hpp"

#include <algorithm>

namespace softalign {

Matrix gather_rows(simd::MatrixView matrix, const std::vector<std::size_t>& rows) {
    Matrix result({rows.size(), matrix.columns});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::copy_n(matrix.data + rows[r] * matrix.stride, matrix.columns, row(result, r));
    }
    return result;
}

void scatter_rows(simd::MatrixView from, const std::vector<std::size_t>& rows, simd::MutableMatrixView to) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::copy_n(from.data + r * from.stride, from.columns, to.data + rows[r] * to.stride);
    }
}

void copy_rows(simd::MatrixView from, simd::MutableMatrixView to) {
    for (std::size_t r = 0; r < from.rows; ++r) {
        std::copy_n(from.data + r * from.stride, from.columns, to.data + r * to.stride);
    }
}

}  // namespace softalign
