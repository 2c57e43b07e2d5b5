#include "core/model/decoder_style.hpp"

#include <algorithm>

#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::MutableMatrixView;
using simd::Update;

void set_decoder_style(DecoderStyle& to, Style style) {
    switch (style) {
        case Style::none:
            to.emplace<PlainStyle>();
            break;
        case Style::bahdanau:
            to.emplace<BahdanauStyle>();
            break;
        case Style::luong:
            to.emplace<LuongStyle>();
            break;
        case Style::conditional:
            to.emplace<ConditionalStyle>();
            break;
    }
}

Matrix previous_rows(const StepLayout& layout, const Matrix& start, const Matrix& values) {
    const std::size_t size = values.shape(1);
    Matrix result = matrix(layout.rows(), size);
    std::copy_n(start.data(), layout.slots() * size, result.data());
    for (std::size_t t = 1; t < layout.steps(); ++t) {
        std::copy_n(row(values, layout.first[t - 1]), layout.active(t) * size, row(result, layout.first[t]));
    }
    return result;
}

void PlainStyle::set(const Preparation& preparation, const Configuration& configuration,
                     const AnyParameters& parameters) {
    hidden_ = configuration.dec_hidden;
    word_columns_ = {0, configuration.word_input_size()};
    if (word_columns_.count == 0) return;
    std::visit(
        [&](const auto* stored) {
            word_.set(preparation, stored->decoder[0].weight_ih, word_columns_, Rows::of_a_batch);
        },
        parameters);
}

Matrix PlainStyle::keys(simd::Executor&, const SourceStates&) const {
    return matrix(0, 0);
}

SourceProducts PlainStyle::source_products(simd::Executor&, const SourceStates&, const JoinedProjection&) const {
    return {};
}

void PlainStyle::read_words(const DecoderBatch& batch, DecoderTrace& trace, ColumnRange rows,
                            const Vector& bias) const {
    word_.forward(batch.executor, view(trace.embedded).rows_from(rows.first, rows.count),
                  view(trace.layers[0].cell.gates).rows_from(rows.first, rows.count), Update::replace, &bias);
}

void PlainStyle::before_layers(const DecoderBatch&, const StepRows&, const Vector&) const {}

CellStateView PlainStyle::first_layer_state(const StepRows& rows) const {
    return rows.previous.layers[0];
}

Matrix PlainStyle::first_layer_previous_h(const DecoderPass& pass) const {
    return previous_rows(pass.layout, pass.start.layers[0].h, pass.trace.layers[0].cell.h);
}

void PlainStyle::after_layers(const DecoderBatch&, const StepRows&) const {}

const Matrix& PlainStyle::features(const DecoderTrace& trace) const {
    return trace.layers.back().cell.h;
}

void PlainStyle::energies(const DecoderBatch&, const StepRows&, MutableMatrixView) const {}

Attention::Gradient PlainStyle::attention_gradient(const DecoderBatch& batch) const {
    return {Attention(), batch.source, batch.keys};
}

void PlainStyle::after_layers_backward(const DecoderBatch&, const StepRows& rows, DecoderGradient& gradient) const {
    Matrix& dh = gradient.state.layers.back().h;
    for (std::size_t r = 0; r < rows.count; ++r) {
        simd::add(row(gradient.features, rows.first + r), row(dh, r), hidden_);
    }
}

void PlainStyle::before_layers_backward(const DecoderBatch&, const StepRows&, DecoderGradient&) const {}

void PlainStyle::finish_backward(const DecoderBatch& batch, const DecoderPass& pass, DecoderGradient& gradient) const {
    if (word_columns_.count == 0) return;
    const MatrixView dgates = view(pass.trace.layers[0].cell.gates);
    word_.backward(batch.executor, dgates, view(gradient.embedded), Update::add);
    word_.weight_gradient(
        batch.executor, dgates, view(pass.trace.embedded),
        view(gradient.parameters.decoder[0].weight_ih).columns_from(word_columns_.first, word_columns_.count));
}

void AttentiveStyle::set(const Preparation& preparation, const Configuration& configuration,
                         const AnyParameters& parameters) {
    PlainStyle::set(preparation, configuration, parameters);
    state_size_ = configuration.source_size();
    std::visit(
        [&](const auto* stored) {
            attention_.set(preparation, configuration.score, configuration.attention_sizes(), stored->attention);
        },
        parameters);
}

Matrix AttentiveStyle::keys(simd::Executor& executor, const SourceStates& source) const {
    return attention_.keys(executor, source);
}

const Matrix& AttentiveStyle::features(const DecoderTrace& trace) const {
    return trace.features;
}

void AttentiveStyle::energies_of(const DecoderBatch& batch, const StepRows& rows, MatrixView query,
                                 MutableMatrixView energies) const {
    attention_.energies(batch.attention(), {query, rows.sentence}, rows.of(rows.trace.projected), energies);
}

void AttentiveStyle::attend(const DecoderBatch& batch, const StepRows& rows, MatrixView query) const {
    DecoderTrace& trace = rows.trace;
    attention_.read(batch.attention(), {query, rows.sentence},
                    {rows.of(trace.projected), rows.of(trace.weights), rows.of(trace.context)}, rows.imposed);
}

Attention::Gradient AttentiveStyle::attention_gradient(const DecoderBatch& batch) const {
    return {attention_, batch.source, batch.keys};
}

void AttentiveStyle::attend_backward(const DecoderBatch& batch, const StepRows& rows, MatrixView query,
                                     MutableMatrixView dquery, DecoderGradient& gradient) const {
    DecoderTrace& trace = rows.trace;
    attention_.read_backward(batch.attention(), {query, rows.sentence},
                             {rows.of(trace.projected), rows.of(trace.weights), rows.of(trace.context)},
                             {rows.of(gradient.context), rows.of(gradient.projected), dquery}, gradient.attention);
}

void AttentiveStyle::finish_attention(const DecoderBatch& batch, const DecoderPass& pass, const Matrix& queries,
                                      DecoderGradient& gradient) const {
    PlainStyle::finish_backward(batch, pass, gradient);
    attention_.finish_backward(batch.attention(), view(queries), view(gradient.projected), gradient.attention,
                               gradient.parameters.attention);
}

}  // namespace softalign
