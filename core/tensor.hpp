#pragma once

// xtensor moved its headers into subfolders in 0.26; the containers are the same.
#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

#include <cstddef>
#include <limits>
#include <stdexcept>

#include "core/simd/views.hpp"

namespace softalign {

using Vector = xt::xtensor<float, 1>;
using Matrix = xt::xtensor<float, 2>;  ///< row-major

/// A matrix whose values are not set yet, and the only way to make one whose size depends on input: if its bytes would
/// overflow, as 32-bit sizes soon do, it throws std::length_error, as a container too large for memory does.
inline Matrix matrix(std::size_t rows, std::size_t columns) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2 / sizeof(float);
    if (columns > 0 && rows > most / columns) throw std::length_error("a matrix is too large for this memory");
    return Matrix({rows, columns});
}

inline Vector zeros(std::size_t size) {
    return Vector({size}, 0.0F);
}
inline Matrix zeros(std::size_t rows, std::size_t columns) {
    Matrix result = matrix(rows, columns);
    result.fill(0.0F);
    return result;
}

inline simd::MatrixView view(const Matrix& m) {
    return {m.data(), m.shape(0), m.shape(1), m.shape(1)};
}
inline simd::MutableMatrixView view(Matrix& m) {
    return {m.data(), m.shape(0), m.shape(1), m.shape(1)};
}

inline float* row(Matrix& m, std::size_t r) {
    return m.data() + r * m.shape(1);
}
inline const float* row(const Matrix& m, std::size_t r) {
    return m.data() + r * m.shape(1);
}
inline float* row(simd::MutableMatrixView m, std::size_t r) {
    return m.data + r * m.stride;
}
inline const float* row(simd::MatrixView m, std::size_t r) {
    return m.data + r * m.stride;
}

}  // namespace softalign
