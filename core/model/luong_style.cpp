#include "core/model/decoder_style.hpp"
#include "core/nn/parallel.hpp"
#include "core/nn/rows.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::MutableMatrixView;
using simd::Update;

namespace {

MatrixView query_of(const StepRows& rows) {
    return rows.of(rows.trace.layers.back().cell.h);
}

}  // namespace

void LuongStyle::set(const Preparation& preparation, const Configuration& configuration,
                     const AnyParameters& parameters) {
    AttentiveStyle::set(preparation, configuration, parameters);
    feed_columns_ = {configuration.word_input_size(), configuration.recurrent_input_size()};
    std::visit(
        [&](const auto* stored) {
            if (feeds()) feed_.set(preparation, stored->decoder[0].weight_ih, feed_columns_);
            combine_.set(preparation, stored->style.combine, 0, {state_size(), hidden()});
        },
        parameters);
}

SourceProducts LuongStyle::source_products(simd::Executor& executor, const SourceStates& source,
                                           const JoinedProjection&) const {
    return {ContextProducts(), ContextProducts(executor, source, combine_, {0, state_size()}), ContextProducts()};
}

void LuongStyle::before_layers(const DecoderBatch& batch, const StepRows& rows, const Vector&) const {
    if (!feeds()) return;
    feed_.forward(batch.executor, rows.previous.feed, rows.of(rows.trace.layers[0].cell.gates), Update::add);
}

void LuongStyle::after_layers(const DecoderBatch& batch, const StepRows& rows) const {
    attend(batch, rows, query_of(rows));
    DecoderTrace& trace = rows.trace;
    const MutableMatrixView combined = rows.of(trace.combined);  // [count, K + H]
    copy_rows(rows.of(trace.context), combined.columns_from(0, state_size()));
    copy_rows(rows.of(trace.layers.back().cell.h), combined.columns_from(state_size(), hidden()));
    const MutableMatrixView attentional = rows.of(trace.features);  // [count, H]
    batch.products.combine.forward(batch.executor, combine_, rows.readers(), {combined, attentional, Update::replace});
    for_rows(batch.executor, rows.count, 4 * hidden(),
             [&](std::size_t r) { simd::tanh(row(attentional, r), row(attentional, r), hidden()); });
}

void LuongStyle::energies(const DecoderBatch& batch, const StepRows& rows, MutableMatrixView energies) const {
    energies_of(batch, rows, query_of(rows), energies);
}

void LuongStyle::after_layers_backward(const DecoderBatch& batch, const StepRows& rows,
                                       DecoderGradient& gradient) const {
    DecoderState& dstate = gradient.state;
    const MutableMatrixView dattentional = rows.of(gradient.features);
    for (std::size_t r = 0; r < rows.count; ++r) {
        if (feeds()) simd::add(row(dstate.feed, r), row(dattentional, r), hidden());
        simd::tanh_backward(row(dattentional, r), row(rows.trace.features, rows.first + r), row(dattentional, r),
                            hidden());
    }
    const MutableMatrixView dcombined = rows.of(gradient.combined);
    combine_.whole().backward(batch.executor, dattentional, dcombined, Update::replace);
    copy_rows(dcombined.columns_from(0, state_size()), rows.of(gradient.context));
    Matrix& dh = dstate.layers.back().h;
    for (std::size_t r = 0; r < rows.count; ++r) {
        simd::add(row(dcombined, r) + state_size(), row(dh, r), hidden());
    }
    attend_backward(batch, rows, query_of(rows), view(dh).rows_from(0, rows.count), gradient);
}

void LuongStyle::before_layers_backward(const DecoderBatch& batch, const StepRows& rows,
                                        DecoderGradient& gradient) const {
    if (!feeds()) return;
    feed_.backward(batch.executor, rows.of(rows.trace.layers[0].cell.gates),
                   view(gradient.state.feed).rows_from(0, rows.count), Update::replace);
}

void LuongStyle::finish_backward(const DecoderBatch& batch, const DecoderPass& pass, DecoderGradient& gradient) const {
    finish_attention(batch, pass, pass.trace.layers.back().cell.h, gradient);
    combine_.whole().weight_gradient(batch.executor, view(gradient.features), view(pass.trace.combined),
                                     view(gradient.parameters.style.combine));
    if (!feeds()) return;
    feed_.weight_gradient(
        batch.executor, view(pass.trace.layers[0].cell.gates),
        view(previous_rows(pass.layout, pass.start.feed, pass.trace.features)),
        view(gradient.parameters.decoder[0].weight_ih).columns_from(feed_columns_.first, feed_columns_.count));
}

}  // namespace softalign
