#include <algorithm>

#include "core/model/decoder.hpp"
#include "core/nn/embedding.hpp"
#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::MutableMatrixView;
using simd::Update;

namespace {

void copy_columns(const Matrix& from, std::size_t first_column, Matrix& to) {
    for (std::size_t r = 0; r < to.shape(0); ++r) {
        std::copy_n(row(from, r) + first_column, to.shape(1), row(to, r));
    }
}

// What every row read of the step before: the first state for the first step, then the rows of the step before. [R, H]
Matrix previous_rows(const StepLayout& layout, const Matrix& start, const Matrix& values) {
    const std::size_t size = values.shape(1);
    Matrix result({layout.rows(), size});
    std::copy_n(start.data(), layout.slots() * size, result.data());
    for (std::size_t t = 1; t < layout.steps(); ++t) {
        std::copy_n(row(values, layout.first[t - 1]), layout.active(t) * size, row(result, layout.first[t]));
    }
    return result;
}

}  // namespace

void Decoder::readout_backward(simd::Executor& executor, DecoderTrace& trace, const Matrix& doutput_input,
                               Matrix& dfeatures, Matrix& dembedded, Parameters& gradient) const {
    Matrix dreadout = doutput_input;  // [R, readout]
    for (std::size_t r = 0; r < dreadout.shape(0); ++r) {
        simd::tanh_backward(row(dreadout, r), row(trace.readout, r), row(dreadout, r), dreadout.shape(1));
    }
    readout_.whole().weight_gradient(executor, view(dreadout), view(trace.readout_in), view(gradient.readout.weight));
    bias_gradient(executor, view(dreadout), gradient.readout.bias);
    Matrix dreadout_in({dreadout.shape(0), trace.readout_in.shape(1)});  // [R, F + E]
    readout_.whole().backward(executor, view(dreadout), view(dreadout_in), Update::replace);
    copy_columns(dreadout_in, 0, dfeatures);
    copy_columns(dreadout_in, dfeatures.shape(1), dembedded);
}

void Decoder::backward(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
                       const StepLayout& layout, const std::vector<int>& ids, const DecoderState& start,
                       DecoderTrace& trace, Matrix doutput_input, const DecoderDropout* dropout, Matrix& dstates,
                       DecoderState& dstart, Parameters& gradient) const {
    const simd::Stage stage(executor, "decoder backward");
    const std::size_t hidden = configuration_.dec_hidden;
    const std::size_t state = configuration_.source_size();
    const std::size_t top = layers_.size() - 1;
    const std::size_t total = layout.rows();
    const Style style = configuration_.style;

    Matrix dembedded = zeros(total, configuration_.embed);
    Matrix dfeatures;  // [R, F]
    if (configuration_.readout > 0) {
        dfeatures = Matrix({total, configuration_.decoder_output_size()});
        readout_backward(executor, trace, doutput_input, dfeatures, dembedded, gradient);
    } else {
        dfeatures = std::move(doutput_input);
    }

    dstart.h.assign(layers_.size(), zeros(layout.slots(), hidden));
    dstart.c.assign(layers_.size(), zeros(layout.slots(), hidden));
    dstart.feed = zeros(configuration_.input_feeding ? layout.slots() : 0, hidden);
    Attention::Gradient attention_gradient(attention_, source, keys);
    Matrix dprojected({trace.projected.shape(0), trace.projected.shape(1)});  // [R, A]
    Matrix dcombined({trace.combined.shape(0), trace.combined.shape(1)});     // [R, K + H]
    Matrix dcontext({trace.context.shape(0), trace.context.shape(1)});        // [R, K]
    Matrix dh({layout.slots(), hidden});

    for (std::size_t t = layout.steps(); t-- > 0;) {
        const std::size_t first = layout.first[t];
        const std::size_t active = layout.active(t);
        const auto rows = [&](Matrix& matrix) {
            return matrix.size() > 0 ? view(matrix).rows_from(first, active) : MutableMatrixView{};
        };
        // Until its last step a slot's rows of dstart are zero: nothing later reads its state.
        const auto attend_backward = [&](MatrixView query, MutableMatrixView dquery) {
            attention_.read_backward(executor, keys, source, layout.order.data(), query, rows(trace.projected),
                                     rows(trace.weights), rows(dcontext), rows(dprojected), dquery, attention_gradient);
        };

        for (std::size_t slot = 0; slot < active; ++slot) {
            float* from_above = row(dfeatures, first + slot);
            if (style == Style::bahdanau) {
                simd::add(from_above, row(dstart.h[top], slot), hidden);
                std::copy_n(from_above + hidden, state, row(dcontext, first + slot));
            } else if (style == Style::luong) {
                if (configuration_.input_feeding) simd::add(row(dstart.feed, slot), from_above, hidden);
                simd::tanh_backward(from_above, row(trace.attentional, first + slot), from_above, hidden);
            } else {
                simd::add(from_above, row(dstart.h[top], slot), hidden);
            }
        }
        if (style == Style::luong) {
            combine_.whole().backward(executor, rows(dfeatures), rows(dcombined), Update::replace);
            for (std::size_t slot = 0; slot < active; ++slot) {
                std::copy_n(row(dcombined, first + slot), state, row(dcontext, first + slot));
                simd::add(row(dcombined, first + slot) + state, row(dstart.h[top], slot), hidden);
            }
            attend_backward(rows(trace.layers[top].h), view(dstart.h[top]).rows_from(0, active));
        }

        for (std::size_t l = layers_.size(); l-- > 0;) {
            DecoderTrace::Layer& layer = trace.layers[l];
            const Matrix& previous_c = t > 0 ? layer.c : start.c[l];
            const std::size_t previous_first = t > 0 ? layout.first[t - 1] : 0;
            for_rows(executor, active, 12 * hidden, [&](std::size_t slot) {
                simd::lstm_cell_backward(row(layer.gates, first + slot), row(previous_c, previous_first + slot),
                                         row(layer.tanh_c, first + slot), row(dstart.h[l], slot),
                                         row(dstart.c[l], slot), row(layer.gates, first + slot), hidden);
            });
            if (l > 0) {
                const MutableMatrixView dinput = view(dh).rows_from(0, active);
                layers_[l].input.backward(executor, rows(layer.gates), dinput, Update::replace);
                if (dropout != nullptr) dropout->between_layers[l - 1].apply(executor, dinput, first);
                for (std::size_t slot = 0; slot < active; ++slot) {
                    simd::add(row(dh, slot), row(dstart.h[l - 1], slot), hidden);
                }
            }
            layers_[l].recurrent.backward(executor, rows(layer.gates), view(dstart.h[l]).rows_from(0, active),
                                          Update::replace);
        }
        if (style == Style::bahdanau) {
            recurrent_input_.whole().backward(executor, rows(trace.layers[0].gates), rows(dcontext), Update::add);
            const Matrix& previous_h = t > 0 ? trace.layers[top].h : start.h[top];
            attend_backward(view(previous_h).rows_from(t > 0 ? layout.first[t - 1] : 0, active),
                            view(dstart.h[top]).rows_from(0, active));
        } else if (configuration_.input_feeding) {
            recurrent_input_.whole().backward(executor, rows(trace.layers[0].gates),
                                              view(dstart.feed).rows_from(0, active), Update::replace);
        }
    }

    embedding_input_.backward(executor, view(trace.layers[0].gates), view(dembedded), Update::add);
    if (dropout != nullptr) dropout->embedding.apply(executor, view(dembedded));
    {
        const simd::Stage lookup(executor, "embedding backward");
        embed_backward(ids, view(dembedded), gradient.target_embedding);
    }

    parameter_gradients(executor, layout, start, trace, gradient);
    if (style == Style::none) return;
    if (style == Style::luong)
        combine_.whole().weight_gradient(executor, view(dfeatures), view(trace.combined), view(gradient.combine));
    const Matrix queries = style == Style::bahdanau ? previous_rows(layout, start.h[top], trace.layers[top].h)
                                                    : trace.layers[top].h;  // [R, H]
    attention_.finish_backward(executor, source, view(queries), view(dprojected), attention_gradient,
                               gradient.attention);
    for (std::size_t i = 0; i < dstates.shape(0); ++i) {
        simd::add(row(attention_gradient.states, i), row(dstates, i), state);
    }
}

void Decoder::parameter_gradients(simd::Executor& executor, const StepLayout& layout, const DecoderState& start,
                                  DecoderTrace& trace, Parameters& gradient) const {
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const MatrixView dgates = view(trace.layers[l].gates);  // [R, 4 H]
        LstmParameters& layer = gradient.decoder[l];
        add_bias_gradients(executor, dgates, layer.bias_ih, layer.bias_hh);
        layers_[l].recurrent.weight_gradient(
            executor, dgates, view(previous_rows(layout, start.h[l], trace.layers[l].h)), view(layer.weight_hh));
        if (l > 0) {
            layers_[l].input.weight_gradient(executor, dgates, view(trace.layers[l].input), view(layer.weight_ih));
            continue;
        }
        const MutableMatrixView input = view(layer.weight_ih);  // [4 H, E + context or fed vector]
        embedding_input_.weight_gradient(executor, dgates, view(trace.embedded),
                                         input.columns_from(0, configuration_.embed));
        const std::size_t recurrent_size = configuration_.recurrent_input_size();
        if (configuration_.style == Style::bahdanau) {
            recurrent_input_.whole().weight_gradient(executor, dgates, view(trace.context),
                                                     input.columns_from(configuration_.embed, recurrent_size));
        } else if (configuration_.input_feeding) {
            recurrent_input_.whole().weight_gradient(executor, dgates,
                                                     view(previous_rows(layout, start.feed, trace.attentional)),
                                                     input.columns_from(configuration_.embed, recurrent_size));
        }
    }
}

void Decoder::start_backward(simd::Executor& executor, const Encoded& encoded, const DecoderState& started,
                             DecoderState& dstart, std::vector<Matrix>& dfinal_h, std::vector<Matrix>& dfinal_c,
                             Parameters& gradient) const {
    const simd::Stage stage(executor, "decoder backward");
    if (!configuration_.bridge) {
        dfinal_h = std::move(dstart.h);
        dfinal_c = std::move(dstart.c);
        return;
    }
    const auto bridge_backward = [&](const Projection& projection, const Matrix& output, Matrix& doutput,
                                     const Matrix& final_state, LinearParameters& parameters) {
        for (std::size_t b = 0; b < doutput.shape(0); ++b) {
            simd::tanh_backward(row(doutput, b), row(output, b), row(doutput, b), doutput.shape(1));
        }
        projection.weight_gradient(executor, view(doutput), view(final_state), view(parameters.weight));
        bias_gradient(executor, view(doutput), parameters.bias);
        Matrix dfinal({doutput.shape(0), final_state.shape(1)});
        projection.backward(executor, view(doutput), view(dfinal), Update::replace);
        return dfinal;
    };
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        dfinal_h.push_back(
            bridge_backward(bridge_h_, started.h[l], dstart.h[l], encoded.final_h[l], gradient.bridge_h));
        dfinal_c.push_back(
            bridge_backward(bridge_c_, started.c[l], dstart.c[l], encoded.final_c[l], gradient.bridge_c));
    }
}

}  // namespace softalign
