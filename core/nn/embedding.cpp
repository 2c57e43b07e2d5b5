#include "core/nn/embedding.hpp"

#include <algorithm>

#include "core/simd/kernels.hpp"

namespace softalign {

void embed(const Matrix& table, const std::vector<int>& ids, simd::MutableMatrixView out) {
    for (std::size_t r = 0; r < ids.size(); ++r) {
        std::copy_n(row(table, static_cast<std::size_t>(ids[r])), out.columns, out.data + r * out.stride);
    }
}

void embed_backward(const std::vector<int>& ids, simd::MatrixView gradient, Matrix& table_gradient) {
    for (std::size_t r = 0; r < ids.size(); ++r) {
        simd::add(gradient.data + r * gradient.stride, row(table_gradient, static_cast<std::size_t>(ids[r])),
                  gradient.columns);
    }
}

}  // namespace softalign
