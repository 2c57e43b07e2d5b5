#include "core/model/encoder.hpp"

#include <algorithm>

#include "core/simd/kernels.hpp"

namespace softalign {

namespace {

Matrix gather_rows(const Matrix& matrix, const std::vector<std::size_t>& rows) {
    Matrix result({rows.size(), matrix.shape(1)});
    for (std::size_t r = 0; r < rows.size(); ++r) std::copy_n(row(matrix, rows[r]), matrix.shape(1), row(result, r));
    return result;
}

// What slots hold becomes what sentences hold, in columns [first, first + slots' columns).
void scatter_slots(const Matrix& slots, const StepLayout& layout, std::size_t first_column, Matrix& sentences) {
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        std::copy_n(row(slots, slot), slots.shape(1), row(sentences, layout.order[slot]) + first_column);
    }
}

Matrix gather_slots(const Matrix& sentences, const StepLayout& layout, std::size_t first_column, std::size_t columns) {
    Matrix slots({layout.slots(), columns});
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        std::copy_n(row(sentences, layout.order[slot]) + first_column, columns, row(slots, slot));
    }
    return slots;
}

std::vector<std::size_t> lengths_of(const std::vector<std::vector<int>>& sentences) {
    std::vector<std::size_t> lengths;
    for (const auto& sentence : sentences) lengths.push_back(sentence.size());
    return lengths;
}

}  // namespace

template <typename Weights>
void Encoder::set(simd::Executor& executor, const Configuration& configuration, const ParametersOf<Weights>& parameters,
                  Passes passes, simd::Precision precision) {
    hidden_ = configuration.enc_hidden;
    bidirectional_ = configuration.bidirectional;
    layers_.resize(configuration.layers);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        layers_[l].forward.set(executor, parameters.encoder[l], passes, precision);
        if (bidirectional_) layers_[l].reverse.set(executor, parameters.encoder_reverse[l], passes, precision);
    }
}

template void Encoder::set(simd::Executor&, const Configuration&, const Parameters&, Passes, simd::Precision);
template void Encoder::set(simd::Executor&, const Configuration&, const QuantizedParameters&, Passes, simd::Precision);

Encoded Encoder::forward(simd::Executor& executor, const std::vector<std::vector<int>>& sources,
                         const Embedding& embedding, EncoderTrace* trace, const EncoderDropout* dropout) const {
    const simd::Stage stage(executor, "encoder");
    const StepLayout layout(lengths_of(sources));
    const std::vector<std::size_t> reversed = bidirectional_ ? layout.reversed() : std::vector<std::size_t>{};
    const std::size_t state_size = hidden_ * (bidirectional_ ? 2 : 1);

    std::vector<int> ids(layout.rows());
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        for (std::size_t slot = 0; slot < layout.active(t); ++slot) {
            ids[layout.row(t, slot)] = sources[layout.order[slot]][t];
        }
    }
    Matrix x({layout.rows(), embedding.size()});  // [R, E]
    {
        const simd::Stage lookup(executor, "embedding");
        embedding.read(ids, view(x));
    }
    if (dropout != nullptr) dropout->embedding.apply(executor, view(x));

    Encoded encoded;
    std::vector<EncoderTrace::Layer> traces;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        EncoderTrace::Layer layer;
        layer.forward = lstm_forward(executor, layers_[l].forward, layout, view(x));
        Matrix final_h({layout.slots(), state_size});
        Matrix final_c({layout.slots(), state_size});
        Matrix h;
        Matrix c;
        final_states(layer.forward, layout, h, c);  // [B, H]
        scatter_slots(h, layout, 0, final_h);
        scatter_slots(c, layout, 0, final_c);

        Matrix output({layout.rows(), state_size});  // [R, K]
        if (bidirectional_) {
            layer.x_reversed = gather_rows(x, reversed);
            layer.reverse = lstm_forward(executor, layers_[l].reverse, layout, view(layer.x_reversed));
            final_states(layer.reverse, layout, h, c);
            scatter_slots(h, layout, hidden_, final_h);
            scatter_slots(c, layout, hidden_, final_c);
            for (std::size_t r = 0; r < layout.rows(); ++r) {
                std::copy_n(row(layer.forward.h, r), hidden_, row(output, r));
                std::copy_n(row(layer.reverse.h, reversed[r]), hidden_, row(output, r) + hidden_);
            }
        } else {
            output = layer.forward.h;
        }
        encoded.final_h.push_back(std::move(final_h));
        encoded.final_c.push_back(std::move(final_c));
        layer.x = std::move(x);
        x = std::move(output);
        if (dropout != nullptr && l + 1 < layers_.size()) dropout->between_layers[l].apply(executor, view(x));
        if (trace != nullptr) traces.push_back(std::move(layer));
    }

    encoded.source.first.push_back(0);
    for (const auto& source : sources) encoded.source.first.push_back(encoded.source.first.back() + source.size());
    encoded.source.states = Matrix({layout.rows(), state_size});  // [N, K]
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        for (std::size_t slot = 0; slot < layout.active(t); ++slot) {
            std::copy_n(row(x, layout.row(t, slot)), state_size,
                        row(encoded.source.states, encoded.source.first[layout.order[slot]] + t));
        }
    }
    if (trace != nullptr) *trace = EncoderTrace{layout, reversed, std::move(ids), std::move(traces)};
    return encoded;
}

void Encoder::backward(simd::Executor& executor, EncoderTrace& trace, const Encoded& encoded, const Matrix& dstates,
                       const std::vector<Matrix>& dfinal_h, const std::vector<Matrix>& dfinal_c,
                       const EncoderDropout* dropout, Parameters& gradient) const {
    const simd::Stage stage(executor, "encoder backward");
    const StepLayout& layout = trace.layout;
    const std::size_t state_size = dstates.shape(1);
    Matrix doutput({layout.rows(), state_size});  // [R, K]
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        for (std::size_t slot = 0; slot < layout.active(t); ++slot) {
            std::copy_n(row(dstates, encoded.source.first[layout.order[slot]] + t), state_size,
                        row(doutput, layout.row(t, slot)));
        }
    }
    for (std::size_t l = layers_.size(); l-- > 0;) {
        EncoderTrace::Layer& layer = trace.layers[l];
        Matrix dx({layout.rows(), layer.x.shape(1)});  // [R, I]
        if (bidirectional_) {
            Matrix dh({layout.rows(), hidden_});
            Matrix dh_reversed({layout.rows(), hidden_});
            for (std::size_t r = 0; r < layout.rows(); ++r) {
                std::copy_n(row(doutput, r), hidden_, row(dh, r));
                std::copy_n(row(doutput, trace.reversed[r]) + hidden_, hidden_, row(dh_reversed, r));
            }
            lstm_backward(executor, layers_[l].forward, layout, view(layer.x), layer.forward, dh,
                          gather_slots(dfinal_h[l], layout, 0, hidden_), gather_slots(dfinal_c[l], layout, 0, hidden_),
                          gradient.encoder[l], view(dx));
            Matrix dx_reversed({layout.rows(), layer.x.shape(1)});
            lstm_backward(executor, layers_[l].reverse, layout, view(layer.x_reversed), layer.reverse, dh_reversed,
                          gather_slots(dfinal_h[l], layout, hidden_, hidden_),
                          gather_slots(dfinal_c[l], layout, hidden_, hidden_), gradient.encoder_reverse[l],
                          view(dx_reversed));
            for (std::size_t r = 0; r < layout.rows(); ++r) {
                simd::add(row(dx_reversed, trace.reversed[r]), row(dx, r), dx.shape(1));
            }
        } else {
            lstm_backward(executor, layers_[l].forward, layout, view(layer.x), layer.forward, doutput,
                          gather_slots(dfinal_h[l], layout, 0, hidden_), gather_slots(dfinal_c[l], layout, 0, hidden_),
                          gradient.encoder[l], view(dx));
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
