#include <algorithm>

#include "core/model/decoder_style.hpp"

namespace softalign {

using simd::MatrixView;
using simd::Update;

namespace {

MatrixView query_of(const StepRows& rows) {
    return rows.of(rows.trace.first_cell.h);
}

}  // namespace

void ConditionalStyle::set(const Preparation& preparation, const Configuration& configuration,
                           const AnyParameters& parameters) {
    BahdanauStyle::set(preparation, configuration, parameters);
    std::visit(
        [&](const auto* stored) {
            const auto& first = stored->style.first;
            word_.set(preparation, first.weight_ih, all_columns(first.weight_ih), Rows::of_a_batch);
            first_.set(preparation, configuration.cell, first);
        },
        parameters);
}

void ConditionalStyle::read_words(const DecoderBatch& batch, DecoderTrace& trace, ColumnRange rows,
                                  const Vector&) const {
    word_.forward(batch.executor, view(trace.embedded).rows_from(rows.first, rows.count),
                  view(trace.first_cell.gates).rows_from(rows.first, rows.count), Update::replace,
                  &first_.input_bias());
}

void ConditionalStyle::before_layers(const DecoderBatch& batch, const StepRows& rows, const Vector& bias) const {
    first_.step(batch.executor, rows.previous.layers[0], rows.of(rows.trace.first_cell));
    attend(batch, rows, query_of(rows));
    for (std::size_t r = 0; r < rows.count; ++r) {
        std::copy_n(bias.data(), bias.size(), row(rows.trace.layers[0].cell.gates, rows.first + r));
    }
    read_context(batch, rows);
}

CellStateView ConditionalStyle::first_layer_state(const StepRows& rows) const {
    return rows.trace.first_cell.state(rows.first, rows.count);
}

Matrix ConditionalStyle::first_layer_previous_h(const DecoderPass& pass) const {
    return pass.trace.first_cell.h;
}

void ConditionalStyle::energies(const DecoderBatch& batch, const StepRows& rows,
                                simd::MutableMatrixView energies) const {
    energies_of(batch, rows, query_of(rows), energies);
}

void ConditionalStyle::before_layers_backward(const DecoderBatch& batch, const StepRows& rows,
                                              DecoderGradient& gradient) const {
    CellState& dstate = gradient.state.layers[0];  // of the first cell's state, then of the one that it went on from
    read_context_backward(batch, rows, gradient);
    attend_backward(batch, rows, query_of(rows), view(dstate.h).rows_from(0, rows.count), gradient);
    first_.step_backward(batch.executor, rows.previous.layers[0], rows.of(rows.trace.first_cell), dstate);
}

void ConditionalStyle::finish_backward(const DecoderBatch& batch, const DecoderPass& pass,
                                       DecoderGradient& gradient) const {
    const DecoderTrace& trace = pass.trace;
    finish_contexts(batch, pass, trace.first_cell.h, gradient);
    CellParameters& first = gradient.parameters.style.first;
    const MatrixView dgates = view(trace.first_cell.gates);
    word_.backward(batch.executor, dgates, view(gradient.embedded), Update::add);
    word_.weight_gradient(batch.executor, dgates, view(trace.embedded), view(first.weight_ih));
    const Matrix previous_h = previous_rows(pass.layout, pass.start.layers[0].h, trace.layers[0].cell.h);
    first_.add_gradients(batch.executor, trace.first_cell, view(previous_h), first);
}

}  // namespace softalign
