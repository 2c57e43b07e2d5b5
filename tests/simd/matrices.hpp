#pragma once

#include "core/simd/views.hpp"
#include "tests/simd/instruction_sets.hpp"

namespace softalign::tests {

/// A matrix in a larger one, so that a wrong stride or a write past the end shows.
struct Framed {
    std::size_t rows;
    std::size_t columns;
    std::size_t stride;
    std::vector<float> values;

    Framed(std::size_t rows_, std::size_t columns_, unsigned seed)
        : rows(rows_),
          columns(columns_),
          stride(columns_ + 3),
          values(random_floats((rows_ + 1) * (columns_ + 3), seed)) {}

    float at(std::size_t row, std::size_t column) const { return values[row * stride + column]; }
    simd::MatrixView view() const { return {values.data(), rows, columns, stride}; }
    simd::MutableMatrixView view() { return {values.data(), rows, columns, stride}; }
};

inline Framed transposed(const Framed& matrix) {
    Framed result(matrix.columns, matrix.rows, 99);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j) result.values[j * result.stride + i] = matrix.at(i, j);
    }
    return result;
}

/// Whether c = before + a b, up to the rounding of k sequential additions, and nothing beside c has changed.
inline bool is_product(const Framed& c, const Framed& start, const Framed& a, const Framed& b, const Framed& before) {
    bool right = true;
    for (std::size_t i = 0; i <= c.rows; ++i) {
        for (std::size_t j = 0; j < c.stride; ++j) {
            if (i == c.rows || j >= c.columns) {
                right = right && c.at(i, j) == before.at(i, j);
                continue;
            }
            long double sum = static_cast<long double>(start.at(i, j));
            long double magnitude = std::fabs(sum);
            for (std::size_t k = 0; k < a.columns; ++k) {
                const long double product = static_cast<long double>(a.at(i, k)) * static_cast<long double>(b.at(k, j));
                sum += product;
                magnitude += std::fabs(product);
            }
            const long double tolerance = 1e-7L * static_cast<long double>(a.columns + 1) * magnitude;
            right = right && std::fabs(static_cast<long double>(c.at(i, j)) - sum) <= tolerance;
        }
    }
    return right;
}

struct Shape {
    std::size_t m;
    std::size_t k;
    std::size_t n;
};

inline Framed zero(std::size_t rows, std::size_t columns) {
    Framed result(rows, columns, 0);
    std::fill(result.values.begin(), result.values.end(), 0.0F);
    return result;
}

}  // namespace softalign::tests
