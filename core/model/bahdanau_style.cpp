#include "core/model/decoder_style.hpp"
#include "core/nn/rows.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::Update;

namespace {

MatrixView query_of(const StepRows& rows) {
    return rows.previous.layers.back().h;
}

}  // namespace

void BahdanauStyle::set(const Preparation& preparation, const Configuration& configuration,
                        const AnyParameters& parameters) {
    AttentiveStyle::set(preparation, configuration, parameters);
    context_columns_ = {configuration.word_input_size(), configuration.source_size()};
    std::visit(
        [&](const auto* stored) {
            context_.set(preparation, stored->decoder[0].weight_ih, context_columns_.first, {context_columns_.count});
        },
        parameters);
}

SourceProducts BahdanauStyle::source_products(simd::Executor& executor, const SourceStates& source,
                                              const JoinedProjection& output) const {
    return {ContextProducts(executor, source, context_, {0, state_size()}), ContextProducts(),
            ContextProducts(executor, source, output, {hidden(), state_size()})};
}

void BahdanauStyle::read_context(const DecoderBatch& batch, const StepRows& rows) const {
    batch.products.input.forward(batch.executor, context_, rows.readers(),
                                 {rows.of(rows.trace.context), rows.of(rows.trace.layers[0].cell.gates), Update::add});
}

void BahdanauStyle::before_layers(const DecoderBatch& batch, const StepRows& rows, const Vector&) const {
    attend(batch, rows, query_of(rows));
    read_context(batch, rows);
}

void BahdanauStyle::after_layers(const DecoderBatch&, const StepRows& rows) const {
    DecoderTrace& trace = rows.trace;
    const simd::MutableMatrixView features = rows.of(trace.features);  // [count, H + K]
    copy_rows(rows.of(trace.layers.back().cell.h), features.columns_from(0, hidden()));
    copy_rows(rows.of(trace.context), features.columns_from(hidden(), state_size()));
}

void BahdanauStyle::energies(const DecoderBatch& batch, const StepRows& rows, simd::MutableMatrixView energies) const {
    energies_of(batch, rows, query_of(rows), energies);
}

void BahdanauStyle::after_layers_backward(const DecoderBatch& batch, const StepRows& rows,
                                          DecoderGradient& gradient) const {
    AttentiveStyle::after_layers_backward(batch, rows, gradient);
    copy_rows(rows.of(gradient.features).columns_from(hidden(), state_size()), rows.of(gradient.context));
}

void BahdanauStyle::read_context_backward(const DecoderBatch& batch, const StepRows& rows,
                                          DecoderGradient& gradient) const {
    context_.whole().backward(batch.executor, rows.of(rows.trace.layers[0].cell.gates), rows.of(gradient.context),
                              Update::add);
}

void BahdanauStyle::before_layers_backward(const DecoderBatch& batch, const StepRows& rows,
                                           DecoderGradient& gradient) const {
    read_context_backward(batch, rows, gradient);
    attend_backward(batch, rows, query_of(rows), view(gradient.state.layers.back().h).rows_from(0, rows.count),
                    gradient);
}

void BahdanauStyle::finish_contexts(const DecoderBatch& batch, const DecoderPass& pass, const Matrix& queries,
                                    DecoderGradient& gradient) const {
    finish_attention(batch, pass, queries, gradient);
    context_.whole().weight_gradient(
        batch.executor, view(pass.trace.layers[0].cell.gates), view(pass.trace.context),
        view(gradient.parameters.decoder[0].weight_ih).columns_from(context_columns_.first, context_columns_.count));
}

void BahdanauStyle::finish_backward(const DecoderBatch& batch, const DecoderPass& pass,
                                    DecoderGradient& gradient) const {
    const Matrix queries = previous_rows(pass.layout, pass.start.layers.back().h, pass.trace.layers.back().cell.h);
    finish_contexts(batch, pass, queries, gradient);
}

}  // namespace softalign
