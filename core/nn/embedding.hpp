#pragma once

#include <vector>

#include "core/simd/executor.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// out_r = table[ids_r]; table [V, E], out [R, E]. The ids are below V.
void embed(const Matrix& table, const std::vector<int>& ids, simd::MutableMatrixView out);

/// table_gradient[ids_r] += gradient_r, in row order.
void embed_backward(const std::vector<int>& ids, simd::MatrixView gradient, Matrix& table_gradient);

}  // namespace softalign
