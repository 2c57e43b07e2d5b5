#include "core/model/encoder.hpp"

#include <utility>

#include "core/nn/rows.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

namespace {

// From the order of slots to that of sentences, for one direction: columns [first_column, first_column + H).
void scatter_slots(const CellState& slots, const StepLayout& layout, std::size_t first_column, CellState& sentences) {
    const auto scatter = [&](const Matrix& from, Matrix& to) {
        if (to.shape(1) == 0) return;
        scatter_rows(view(from), layout.order, view(to).columns_from(first_column, from.shape(1)));
    };
    scatter(slots.h, sentences.h);
    scatter(slots.c, sentences.c);
}

CellState gather_slots(const CellState& sentences, const StepLayout& layout, ColumnRange columns) {
    const auto gather = [&](const Matrix& from) {
        if (from.shape(1) == 0) return matrix(layout.slots(), 0);
        return gather_rows(view(from).columns_from(columns.first, columns.count), layout.order);
    };
    return {gather(sentences.h), gather(sentences.c)};
}

std::vector<std::size_t> lengths_of(const std::vector<std::vector<int>>& sentences) {
    std::vector<std::size_t> lengths;
    for (const auto& sentence : sentences) lengths.push_back(sentence.size());
    return lengths;
}

}  // namespace

template <typename Weights>
void Encoder::set(const Preparation& preparation, const Configuration& configuration,
                  const ParametersOf<Weights>& parameters) {
    cell_ = configuration.cell;
    hidden_ = configuration.enc_hidden;
    bidirectional_ = configuration.bidirectional;
    layers_.resize(configuration.layers);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        layers_[l].forward.set(preparation, cell_, parameters.encoder[l]);
        if (bidirectional_) layers_[l].reverse.set(preparation, cell_, parameters.encoder_reverse[l]);
    }
}

template void Encoder::set(const Preparation&, const Configuration&, const Parameters&);
template void Encoder::set(const Preparation&, const Configuration&, const QuantizedParameters&);

Encoded Encoder::forward(simd::Executor& executor, const std::vector<std::vector<int>>& sources,
                         const Embedding& embedding, EncoderTrace* trace, const EncoderDropout* dropout) const {
    const simd::Stage stage(executor, "encoder");
    EncoderTrace pass{StepLayout(lengths_of(sources)), {}, {}, {}, {}};
    const StepLayout& layout = pass.layout;
    if (bidirectional_) pass.reversed = layout.reversed();
    const std::size_t state_size = hidden_ * (bidirectional_ ? 2 : 1);
    Encoded encoded;
    encoded.source.first.push_back(0);
    for (const auto& source : sources) encoded.source.first.push_back(encoded.source.first.back() + source.size());

    pass.ids.resize(layout.rows());
    pass.source_row.resize(layout.rows());
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        for (std::size_t slot = 0; slot < layout.active(t); ++slot) {
            pass.ids[layout.row(t, slot)] = sources[layout.order[slot]][t];
            pass.source_row[layout.row(t, slot)] = encoded.source.first[layout.order[slot]] + t;
        }
    }
    Matrix x = matrix(layout.rows(), embedding.size());  // [R, E]
    {
        const simd::Stage lookup(executor, "embedding");
        embedding.read(pass.ids, view(x));
    }
    if (dropout != nullptr) dropout->embedding.apply(executor, view(x));

    for (std::size_t l = 0; l < layers_.size(); ++l) {
        EncoderTrace::Layer layer;
        CellState final_state = CellState::zeros(cell_, layout.slots(), state_size);
        Matrix output = matrix(layout.rows(), state_size);  // [R, K]
        if (bidirectional_) {
            layer.reverse = layers_[l].reverse.forward(executor, layout, gather_rows(x, pass.reversed));
            scatter_slots(layers_[l].reverse.final_state(layout, layer.reverse), layout, hidden_, final_state);
            // The reversal is its own inverse.
            scatter_rows(view(layer.reverse.cell.h), pass.reversed, view(output).columns_from(hidden_, hidden_));
        }
        layer.forward = layers_[l].forward.forward(executor, layout, std::move(x));
        scatter_slots(layers_[l].forward.final_state(layout, layer.forward), layout, 0, final_state);
        copy_rows(view(layer.forward.cell.h), view(output).columns_from(0, hidden_));
        encoded.final_states.push_back(std::move(final_state));
        x = std::move(output);
        if (dropout != nullptr && l + 1 < layers_.size()) dropout->between_layers[l].apply(executor, view(x));
        if (trace != nullptr) pass.layers.push_back(std::move(layer));
    }

    encoded.source.states = matrix(layout.rows(), state_size);  // [N, K]
    scatter_rows(view(x), pass.source_row, view(encoded.source.states));
    if (trace != nullptr) *trace = std::move(pass);
    return encoded;
}

void Encoder::backward(simd::Executor& executor, EncoderTrace& trace, const Matrix& dstates,
                       const std::vector<CellState>& dfinal, const EncoderDropout* dropout,
                       Parameters& gradient) const {
    const simd::Stage stage(executor, "encoder backward");
    const StepLayout& layout = trace.layout;
    Matrix doutput = gather_rows(dstates, trace.source_row);  // [R, K]
    for (std::size_t l = layers_.size(); l-- > 0;) {
        EncoderTrace::Layer& layer = trace.layers[l];
        Matrix dx;  // [R, I]
        if (bidirectional_) {
            const simd::MatrixView both = view(doutput);
            Matrix dh = matrix(layout.rows(), hidden_);
            copy_rows(both.columns_from(0, hidden_), view(dh));
            dx = layers_[l].forward.backward(executor, layout, layer.forward, dh,
                                             gather_slots(dfinal[l], layout, {0, hidden_}), gradient.encoder[l]);
            dh = gather_rows(both.columns_from(hidden_, hidden_), trace.reversed);
            const Matrix dx_reversed = layers_[l].reverse.backward(executor, layout, layer.reverse, dh,
                                                                   gather_slots(dfinal[l], layout, {hidden_, hidden_}),
                                                                   gradient.encoder_reverse[l]);
            for (std::size_t r = 0; r < layout.rows(); ++r) {
                simd::add(row(dx_reversed, trace.reversed[r]), row(dx, r), dx.shape(1));
            }
        } else {
            dx = layers_[l].forward.backward(executor, layout, layer.forward, doutput,
                                             gather_slots(dfinal[l], layout, {0, hidden_}), gradient.encoder[l]);
        }
        if (dropout != nullptr) {
            const Dropout& input_dropout = l > 0 ? dropout->between_layers[l - 1] : dropout->embedding;
            input_dropout.apply(executor, view(dx));
        }
        doutput = std::move(dx);
    }
    const simd::Stage lookup(executor, "embedding backward");
    embed_backward(trace.ids, view(doutput), gradient.source_embedding);
}

}  // namespace softalign
