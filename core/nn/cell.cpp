#include "core/nn/cell.hpp"

#include <algorithm>

#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::Update;

namespace {

simd::MutableMatrixView recurrent_product(const CellRows& rows) {
    return view(rows.trace.recurrent).rows_from(rows.first, rows.count);
}

}  // namespace

CellState CellState::zeros(Cell cell, std::size_t rows, std::size_t hidden) {
    return {softalign::zeros(rows, hidden), softalign::zeros(rows, kind(cell).has_c ? hidden : 0)};
}

CellState gather_rows(const CellState& state, const std::vector<std::size_t>& rows) {
    return {gather_rows(state.h, rows), gather_rows(state.c, rows)};
}

CellState scatter_rows(const CellState& state, const std::vector<std::size_t>& rows) {
    CellState result{matrix(rows.size(), state.h.shape(1)), matrix(rows.size(), state.c.shape(1))};
    scatter_rows(view(state.h), rows, view(result.h));
    scatter_rows(view(state.c), rows, view(result.c));
    return result;
}

CellTrace::CellTrace(Cell cell, std::size_t rows, std::size_t hidden)
    : gates(matrix(rows, kind(cell).gates * hidden)),
      recurrent(matrix(rows, kind(cell).adds_recurrent ? 0 : kind(cell).gates * hidden)),
      c(matrix(rows, kind(cell).has_c ? hidden : 0)),
      tanh_c(matrix(rows, c.shape(1))),
      h(matrix(rows, hidden)) {}

template <typename Weights>
void RecurrentCell::set(const Preparation& preparation, Cell cell, const CellParametersOf<Weights>& parameters) {
    cell_ = cell;
    hidden_ = parameters.bias_hh.size() / kind(cell).gates;
    recurrent_.set(preparation, parameters.weight_hh, all_columns(parameters.weight_hh));
    input_bias_ = parameters.bias_ih;
    if (kind(cell).adds_recurrent) {
        simd::add(parameters.bias_hh.data(), input_bias_.data(), input_bias_.size());
    } else {
        recurrent_bias_ = parameters.bias_hh;
    }
}

template void RecurrentCell::set(const Preparation&, Cell, const CellParameters&);
template void RecurrentCell::set(const Preparation&, Cell, const CellParametersOf<QuantizedMatrix>&);

void RecurrentCell::step(simd::Executor& executor, const CellStateView& previous, const CellRows& rows) const {
    CellTrace& trace = rows.trace;
    const bool from_zeros = previous.h.rows == 0;
    if (kind(cell_).adds_recurrent) {
        if (!from_zeros) recurrent_.forward(executor, previous.h, rows.gates(), Update::add);  // [count, G H]
    } else if (!from_zeros) {
        recurrent_.forward(executor, previous.h, recurrent_product(rows), Update::replace, &recurrent_bias_);
    } else {
        for (std::size_t r = 0; r < rows.count; ++r) {
            std::copy_n(recurrent_bias_.data(), recurrent_bias_.size(), row(trace.recurrent, rows.first + r));
        }
    }
    const Vector no_state = zeros(from_zeros ? hidden_ : 0);
    for_rows(executor, rows.count, 8 * hidden_, [&](std::size_t r) {
        const std::size_t at = rows.first + r;
        switch (cell_) {
            case Cell::lstm: {
                const float* c = from_zeros ? no_state.data() : row(previous.c, r);
                simd::lstm_cell(row(trace.gates, at), c, row(trace.c, at), row(trace.tanh_c, at), row(trace.h, at),
                                hidden_);
                break;
            }
            case Cell::gru: {
                const float* h = from_zeros ? no_state.data() : row(previous.h, r);
                simd::gru_cell(row(trace.gates, at), row(trace.recurrent, at), h, row(trace.h, at), hidden_);
                break;
            }
        }
    });
}

void RecurrentCell::step_backward(simd::Executor& executor, const CellStateView& previous, const CellRows& rows,
                                  CellState& state) const {
    CellTrace& trace = rows.trace;
    const bool from_zeros = previous.h.rows == 0;
    const Vector no_state = zeros(from_zeros ? hidden_ : 0);
    for_rows(executor, rows.count, 12 * hidden_, [&](std::size_t r) {
        const std::size_t at = rows.first + r;
        switch (cell_) {
            case Cell::lstm: {
                const float* c = from_zeros ? no_state.data() : row(previous.c, r);
                simd::lstm_cell_backward(row(trace.gates, at), c, row(trace.tanh_c, at), row(state.h, r),
                                         row(state.c, r), hidden_);
                break;
            }
            case Cell::gru: {
                const float* h = from_zeros ? no_state.data() : row(previous.h, r);
                simd::gru_cell_backward(row(trace.gates, at), row(trace.recurrent, at), h, row(state.h, r), hidden_);
                break;
            }
        }
    });
    if (from_zeros) return;
    const simd::MutableMatrixView dprevious_h = view(state.h).rows_from(0, rows.count);
    if (kind(cell_).adds_recurrent) {
        recurrent_.backward(executor, rows.gates(), dprevious_h, Update::replace);
    } else {
        // The cell has left what reaches the state past its product.
        recurrent_.backward(executor, recurrent_product(rows), dprevious_h, Update::add);
    }
}

void RecurrentCell::add_gradients(simd::Executor& executor, const CellTrace& trace, simd::MatrixView previous_h,
                                  CellParameters& gradient) const {
    const Matrix& drecurrent = kind(cell_).adds_recurrent ? trace.gates : trace.recurrent;  // [R, G H]
    Vector sum = zeros(gradient.bias_ih.size());
    bias_gradient(executor, view(trace.gates), sum);
    simd::add(sum.data(), gradient.bias_ih.data(), sum.size());
    if (!kind(cell_).adds_recurrent) {
        sum = zeros(sum.size());
        bias_gradient(executor, view(drecurrent), sum);
    }
    simd::add(sum.data(), gradient.bias_hh.data(), sum.size());
    if (previous_h.rows == 0) return;
    recurrent_.weight_gradient(executor,
                               view(drecurrent).rows_from(drecurrent.shape(0) - previous_h.rows, previous_h.rows),
                               previous_h, view(gradient.weight_hh));
}

}  // namespace softalign
