#include "core/nn/projection.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

#include "core/nn/parallel.hpp"
#include "core/simd/division.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

void Projection::set(const Preparation& preparation, const Matrix& weight, ColumnRange columns, Rows rows) {
    const auto& [executor, passes, precision] = preparation;
    precision_ = precision;
    const simd::MatrixView block = view(weight).columns_from(columns.first, columns.count);
    if (passes == Passes::forward_and_backward && rows == Rows::of_a_batch) {
        weight_ = block;
        return;
    }
    forward_.repack_transposed(executor, block, precision);
    if (passes == Passes::forward_and_backward) backward_.repack(executor, block, precision);
}

std::size_t Projection::outputs() const {
    if (!int8_.empty()) return int8_.columns();
    return weight_.data != nullptr ? weight_.rows : forward_.columns();
}

void Projection::set([[maybe_unused]] const Preparation& preparation, const QuantizedMatrix& weight,
                     ColumnRange columns, Rows) {
    assert(preparation.passes == Passes::forward && preparation.precision == simd::Precision::int8);
    int8_ = simd::PackedInt8Matrix::pack_transposed(weight.values.get() + columns.first, weight.columns,
                                                    weight.scale.data(), weight.rows, columns.count);
}

void Projection::forward(simd::Executor& executor, simd::MatrixView x, simd::MutableMatrixView y, simd::Update update,
                         const Vector* bias) const {
    const float* added = bias == nullptr ? nullptr : bias->data();
    if (!int8_.empty()) {
        simd::multiply(executor, x, int8_, y, update, added);
    } else if (weight_.data != nullptr) {
        simd::multiply(executor, x, simd::UnpackedMatrix{weight_, true, precision_}, y, update, added);
    } else {
        simd::multiply(executor, x, forward_, y, update, added);
    }
}

void Projection::backward(simd::Executor& executor, simd::MatrixView dy, simd::MutableMatrixView dx,
                          simd::Update update) const {
    if (weight_.data != nullptr) {
        simd::multiply(executor, dy, simd::UnpackedMatrix{weight_, false, precision_}, dx, update);
    } else {
        simd::multiply(executor, dy, backward_, dx, update);
    }
}

void Projection::weight_gradient(simd::Executor& executor, simd::MatrixView dy, simd::MatrixView x,
                                 simd::MutableMatrixView dW) const {
    simd::multiply_transposed(executor, dy, x, dW, simd::Update::add, precision_);
}

template <typename Weights>
void JoinedProjection::set(const Preparation& preparation, const Weights& weight, std::size_t first,
                           const std::vector<std::size_t>& widths, Rows rows) {
    const std::vector<std::size_t> whole = {std::accumulate(widths.begin(), widths.end(), std::size_t{0})};
    const std::vector<std::size_t>& wanted = preparation.passes == Passes::forward ? widths : whole;
    parts_.resize(wanted.size());
    std::size_t read = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        parts_[p].columns = {read, wanted[p]};
        parts_[p].weights.set(preparation, weight, {first + read, wanted[p]}, rows);
        read += wanted[p];
    }
}

template void JoinedProjection::set(const Preparation&, const Matrix&, std::size_t, const std::vector<std::size_t>&,
                                    Rows);
template void JoinedProjection::set(const Preparation&, const QuantizedMatrix&, std::size_t,
                                    const std::vector<std::size_t>&, Rows);

void JoinedProjection::forward(simd::Executor& executor, simd::MatrixView x, simd::MutableMatrixView y,
                               simd::Update update, const Vector* bias) const {
    for (const Part& part : parts_) {
        part.weights.forward(executor, x.columns_from(part.columns.first, part.columns.count), y, update, bias);
        update = simd::Update::add;
    }
}

void bias_gradient(simd::Executor& executor, simd::MatrixView dy, Vector& db) {
    constexpr std::size_t kColumns = 512;  // divided by columns: no sum is
    for_rows(executor, simd::divide_up(dy.columns, kColumns), dy.rows * kColumns, [&](std::size_t block) {
        const std::size_t first = block * kColumns;
        const std::size_t count = std::min(kColumns, dy.columns - first);
        for (std::size_t r = 0; r < dy.rows; ++r) {
            simd::add(dy.data + r * dy.stride + first, db.data() + first, count);
        }
    });
}

}  // namespace softalign
