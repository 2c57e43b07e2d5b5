#pragma once

// xtensor moved its headers into subfolders in 0.26; the containers are the same.
#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

#include <cstddef>

#include "core/simd/views.hpp"

namespace softalign {

using Vector = xt::xtensor<float, 1>;
using Matrix = xt::xtensor<float, 2>;  ///< row-major

inline Vector zeros(std::size_t size) {
    return Vector({size}, 0.0F);
}
inline Matrix zeros(std::size_t rows, std::size_t columns) {
    return Matrix({rows, columns}, 0.0F);
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

}  // namespace softalign
