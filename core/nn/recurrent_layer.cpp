#include "core/nn/recurrent_layer.hpp"

#include <algorithm>
#include <utility>

#include "core/simd/kernels.hpp"

namespace softalign {

using simd::Update;

template <typename Weights>
void RecurrentLayer::set(const Preparation& preparation, Cell cell, const CellParametersOf<Weights>& parameters) {
    input_.set(preparation, parameters.weight_ih, all_columns(parameters.weight_ih), Rows::of_a_batch);
    cell_.set(preparation, cell, parameters);
}

template void RecurrentLayer::set(const Preparation&, Cell, const CellParameters&);
template void RecurrentLayer::set(const Preparation&, Cell, const CellParametersOf<QuantizedMatrix>&);

RecurrentLayer::Trace RecurrentLayer::forward(simd::Executor& executor, const StepLayout& layout, Matrix x) const {
    Trace trace{std::move(x), CellTrace(cell_.cell(), layout.rows(), cell_.hidden())};
    input_.forward(executor, view(trace.x), view(trace.cell.gates), Update::replace, &cell_.input_bias());  // [R, G H]
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        const std::size_t active = layout.active(t);
        const CellStateView previous = t > 0 ? trace.cell.state(layout.first[t - 1], active) : CellStateView{};
        cell_.step(executor, previous, {trace.cell, layout.first[t], active});
    }
    return trace;
}

CellState RecurrentLayer::final_state(const StepLayout& layout, const Trace& trace) const {
    std::vector<std::size_t> last;
    for (std::size_t slot = 0; slot < layout.slots(); ++slot)
        last.push_back(layout.row(layout.lengths[slot] - 1, slot));
    return {gather_rows(trace.cell.h, last), gather_rows(trace.cell.c, last)};
}

Matrix RecurrentLayer::backward(simd::Executor& executor, const StepLayout& layout, Trace& trace, const Matrix& dh,
                                CellState dfinal, CellParameters& gradient) const {
    // A slot joins at its last step; until then its rows hold the gradient of its final state.
    CellState& dstate = dfinal;  // [B, H]
    for (std::size_t t = layout.steps(); t-- > 0;) {
        const std::size_t first = layout.first[t];
        const std::size_t active = layout.active(t);
        for (std::size_t slot = 0; slot < active; ++slot) {
            simd::add(row(dh, first + slot), row(dstate.h, slot), dh.shape(1));
        }
        const CellStateView previous = t > 0 ? trace.cell.state(layout.first[t - 1], active) : CellStateView{};
        cell_.step_backward(executor, previous, {trace.cell, first, active}, dstate);
    }

    const simd::MatrixView dgates = view(trace.cell.gates);  // [R, G H]
    input_.weight_gradient(executor, dgates, view(trace.x), view(gradient.weight_ih));
    Matrix previous_h = matrix(layout.rows() - layout.slots(), dh.shape(1));  // what each row after the first step read
    for (std::size_t t = 1; t < layout.steps(); ++t) {
        std::copy_n(row(trace.cell.h, layout.first[t - 1]), layout.active(t) * dh.shape(1),
                    row(previous_h, layout.first[t] - layout.slots()));
    }
    cell_.add_gradients(executor, trace.cell, view(previous_h), gradient);
    Matrix dx = matrix(layout.rows(), trace.x.shape(1));  // [R, I]
    input_.backward(executor, dgates, view(dx), Update::replace);
    return dx;
}

}  // namespace softalign
