#include "core/model/decoder.hpp"

#include <utility>

#include "core/nn/parallel.hpp"
#include "core/nn/rows.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::MutableMatrixView;
using simd::Update;

template <typename Weights>
void Decoder::set(const Preparation& preparation, const Configuration& configuration,
                  const ParametersOf<Weights>& parameters) {
    feeds_ = configuration.input_feeding;
    bridge_.set(preparation, configuration, parameters);
    layers_.resize(configuration.layers);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const CellParametersOf<Weights>& layer = parameters.decoder[l];
        if (l > 0) layers_[l].input.set(preparation, layer.weight_ih, all_columns(layer.weight_ih));
        layers_[l].cell.set(preparation, configuration.cell, layer);
    }
    if (!is_set_) set_decoder_style(style_, configuration.style);
    is_set_ = true;
    std::visit([&](auto& style) { style.set(preparation, configuration, &parameters); }, style_);
    output_.set(preparation, configuration, parameters);
}

template void Decoder::set(const Preparation&, const Configuration&, const Parameters&);
template void Decoder::set(const Preparation&, const Configuration&, const QuantizedParameters&);

DecoderState Decoder::start(simd::Executor& executor, const Encoded& encoded) const {
    DecoderState state{bridge_.forward(executor, encoded.final_states), Matrix()};
    state.feed = zeros(encoded.source.sentences(), feeds_ ? state.layers[0].h.shape(1) : 0);
    return state;
}

std::vector<CellState> Decoder::start_backward(simd::Executor& executor, const Encoded& encoded,
                                               const DecoderState& started, DecoderState dstarted,
                                               Parameters& gradient) const {
    const simd::Stage stage(executor, "decoder backward");
    return bridge_.backward(executor, encoded.final_states, started.layers, std::move(dstarted.layers), gradient);
}

Matrix Decoder::keys(simd::Executor& executor, const SourceStates& source) const {
    return std::visit([&](const auto& style) { return style.keys(executor, source); }, style_);
}

SourceProducts Decoder::source_products(simd::Executor& executor, const SourceStates& source) const {
    return std::visit([&](const auto& style) { return style.source_products(executor, source, output_.first()); },
                      style_);
}

void Decoder::embed_words(const DecoderBatch& batch, const Embedding& embedding, const std::vector<int>& ids,
                          DecoderTrace& trace, std::size_t first) const {
    const MutableMatrixView embedded = view(trace.embedded).rows_from(first, ids.size());
    {
        const simd::Stage lookup(batch.executor, "embedding");
        embedding.read(ids, embedded);
    }
    if (batch.dropout != nullptr) batch.dropout->embedding.apply(batch.executor, embedded, first);
    std::visit(
        [&](const auto& style) {
            style.read_words(batch, trace, {first, ids.size()}, layers_[0].cell.input_bias());
        },
        style_);
}

CellStateView Decoder::previous_state(const StepRows& rows, std::size_t layer) const {
    return layer == 0 ? std::visit([&](const auto& style) { return style.first_layer_state(rows); }, style_)
                      : rows.previous.layers[layer];
}

void Decoder::step(const DecoderBatch& batch, const StepRows& rows) const {
    simd::Executor& executor = batch.executor;
    std::visit([&](const auto& style) { style.before_layers(batch, rows, layers_[0].cell.input_bias()); }, style_);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        DecoderTrace::Layer& layer = rows.trace.layers[l];
        if (l > 0) {
            const MutableMatrixView input = rows.of(layer.input);  // [count, H]
            copy_rows(rows.of(rows.trace.layers[l - 1].cell.h), input);
            if (batch.dropout != nullptr) batch.dropout->between_layers[l - 1].apply(executor, input, rows.first);
            layers_[l].input.forward(executor, input, rows.of(layer.cell.gates), Update::replace,
                                     &layers_[l].cell.input_bias());
        }
        layers_[l].cell.step(executor, previous_state(rows, l), rows.of(layer.cell));
    }
    std::visit([&](const auto& style) { style.after_layers(batch, rows); }, style_);
}

void Decoder::energies(const DecoderBatch& batch, const StepRows& rows, MutableMatrixView energies) const {
    std::visit([&](const auto& style) { style.energies(batch, rows, energies); }, style_);
}

const Matrix& Decoder::features(const DecoderTrace& trace) const {
    return std::visit([&](const auto& style) -> const Matrix& { return style.features(trace); }, style_);
}

MatrixView Decoder::output_input(const DecoderBatch& batch, const StepRows& rows) const {
    return output_.input(batch, rows, features(rows.trace));
}

void Decoder::logits(const DecoderBatch& batch, const StepRows& rows, MutableMatrixView logits) const {
    output_.logits(batch, rows, features(rows.trace), logits);
}

void Decoder::step_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const {
    simd::Executor& executor = batch.executor;
    DecoderState& dstate = gradient.state;
    std::visit([&](const auto& style) { style.after_layers_backward(batch, rows, gradient); }, style_);
    for (std::size_t l = layers_.size(); l-- > 0;) {
        DecoderTrace::Layer& layer = rows.trace.layers[l];
        layers_[l].cell.step_backward(executor, previous_state(rows, l), rows.of(layer.cell), dstate.layers[l]);
        if (l == 0) continue;
        Matrix dinput = matrix(rows.count, layer.input.shape(1));
        layers_[l].input.backward(executor, rows.of(layer.cell.gates), view(dinput), Update::replace);
        if (batch.dropout != nullptr) batch.dropout->between_layers[l - 1].apply(executor, view(dinput), rows.first);
        for (std::size_t r = 0; r < rows.count; ++r) {
            simd::add(row(dinput, r), row(dstate.layers[l - 1].h, r), dinput.shape(1));
        }
    }
    std::visit([&](const auto& style) { style.before_layers_backward(batch, rows, gradient); }, style_);
}

DecoderState Decoder::backward(const DecoderBatch& batch, DecoderPass& pass, Matrix doutput_input, Matrix& dstates,
                               Parameters& parameters) const {
    simd::Executor& executor = batch.executor;
    const simd::Stage stage(executor, "decoder backward");
    const StepLayout& layout = pass.layout;
    DecoderTrace& trace = pass.trace;
    const auto like = [](const Matrix& values) { return matrix(values.shape(0), values.shape(1)); };

    Matrix dembedded;  // [R, E]
    Matrix dfeatures = output_.input_backward(executor, trace, std::move(doutput_input), dembedded, parameters);
    DecoderGradient gradient{std::move(dembedded),
                             std::move(dfeatures),
                             like(trace.projected),
                             like(trace.combined),
                             like(trace.context),
                             std::visit([&](const auto& style) { return style.attention_gradient(batch); }, style_),
                             {},
                             parameters};
    // A slot's rows stay zero until its last step, since nothing reads its state after that.
    for (const CellState& state : pass.start.layers) {
        gradient.state.layers.push_back(
            {zeros(state.h.shape(0), state.h.shape(1)), zeros(state.c.shape(0), state.c.shape(1))});
    }
    gradient.state.feed = zeros(pass.start.feed.shape(0), pass.start.feed.shape(1));

    for (std::size_t t = layout.steps(); t-- > 0;) {
        const PreviousState previous = pass.previous(t);
        step_backward(batch, {trace, layout.first[t], layout.active(t), layout.order.data(), previous, nullptr},
                      gradient);
    }

    std::visit([&](const auto& style) { style.finish_backward(batch, pass, gradient); }, style_);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const DecoderTrace::Layer& layer = trace.layers[l];
        CellParameters& to = parameters.decoder[l];
        const Matrix previous_h =
            l == 0 ? std::visit([&](const auto& style) { return style.first_layer_previous_h(pass); }, style_)
                   : previous_rows(layout, pass.start.layers[l].h, layer.cell.h);
        layers_[l].cell.add_gradients(executor, layer.cell, view(previous_h), to);
        if (l == 0) continue;
        layers_[l].input.weight_gradient(executor, view(layer.cell.gates), view(layer.input), view(to.weight_ih));
    }
    if (batch.dropout != nullptr) batch.dropout->embedding.apply(executor, view(gradient.embedded));
    {
        const simd::Stage lookup(executor, "embedding backward");
        embed_backward(pass.ids, view(gradient.embedded), parameters.target_embedding);
    }
    const Matrix& from_attention = gradient.attention.states;
    for (std::size_t i = 0; i < from_attention.shape(0); ++i) {
        simd::add(row(from_attention, i), row(dstates, i), dstates.shape(1));
    }
    return std::move(gradient.state);
}

}  // namespace softalign
