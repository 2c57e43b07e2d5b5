#pragma once

#include <cstddef>

namespace softalign::simd {

/// A read-only view of a row-major matrix. `stride` is the distance between two rows in elements.
struct MatrixView {
    const float* data;
    std::size_t rows;
    std::size_t columns;
    std::size_t stride;

    /// Columns [first, first + count) of the same rows.
    MatrixView columns_from(std::size_t first, std::size_t count) const { return {data + first, rows, count, stride}; }
    /// Rows [first, first + count).
    MatrixView rows_from(std::size_t first, std::size_t count) const {
        return {data + first * stride, count, columns, stride};
    }
};

struct MutableMatrixView {
    float* data;
    std::size_t rows;
    std::size_t columns;
    std::size_t stride;

    MutableMatrixView columns_from(std::size_t first, std::size_t count) const {
        return {data + first, rows, count, stride};
    }
    MutableMatrixView rows_from(std::size_t first, std::size_t count) const {
        return {data + first * stride, count, columns, stride};
    }
    operator MatrixView() const { return {data, rows, columns, stride}; }
};

}  // namespace softalign::simd
