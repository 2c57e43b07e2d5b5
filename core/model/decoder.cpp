#include "core/model/decoder.hpp"

#include <algorithm>

#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::MutableMatrixView;
using simd::Update;

namespace {

const ContextProducts kNoProducts;

}  // namespace

DecoderTrace::DecoderTrace(const Configuration& configuration, std::size_t rows, std::size_t longest_source) {
    const auto matrix = [rows](std::size_t columns) { return Matrix({columns > 0 ? rows : 0, columns}); };
    const bool attends = configuration.style != Style::none;
    const bool luong = configuration.style == Style::luong;
    const bool additive = configuration.score == Score::additive || configuration.score == Score::concat;
    const std::size_t hidden = configuration.dec_hidden;
    const std::size_t state = configuration.source_size();
    embedded = matrix(configuration.embed);
    for (std::size_t l = 0; l < configuration.layers; ++l) {
        layers.push_back(
            {matrix(l > 0 ? hidden : 0), matrix(4 * hidden), matrix(hidden), matrix(hidden), matrix(hidden)});
    }
    projected = matrix(additive ? configuration.attn : 0);
    weights = matrix(attends ? longest_source : 0);
    context = matrix(attends ? state : 0);
    combined = matrix(luong ? state + hidden : 0);
    attentional = matrix(luong ? hidden : 0);
    joined = matrix(configuration.style == Style::bahdanau ? hidden + state : 0);
    readout_in = matrix(configuration.readout > 0 ? configuration.decoder_output_size() + configuration.embed : 0);
    readout = matrix(configuration.readout);
}

template <typename Weights>
void Decoder::set(simd::Executor& executor, const Configuration& configuration, const ParametersOf<Weights>& parameters,
                  Passes passes, simd::Precision precision) {
    configuration_ = configuration;
    const auto lay_out = [&](Projection& projection, const Weights& weight) {
        projection.set(executor, weight, passes, precision);
    };
    const std::size_t hidden = configuration.dec_hidden;
    if (configuration.bridge) {
        lay_out(bridge_h_, parameters.bridge_h.weight);
        lay_out(bridge_c_, parameters.bridge_c.weight);
        bridge_h_bias_ = parameters.bridge_h.bias;
        bridge_c_bias_ = parameters.bridge_c.bias;
    }
    layers_.resize(configuration.layers);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const LstmParametersOf<Weights>& layer = parameters.decoder[l];
        if (l > 0) lay_out(layers_[l].input, layer.weight_ih);
        lay_out(layers_[l].recurrent, layer.weight_hh);
        layers_[l].bias = layer.bias_ih;
        simd::add(layer.bias_hh.data(), layers_[l].bias.data(), 4 * hidden);
    }
    const Weights& input = parameters.decoder[0].weight_ih;  // [4 H, E + context or fed vector]
    embedding_input_.set(executor, input, {0, configuration.embed}, passes, precision, Rows::of_a_batch);
    if (configuration.recurrent_input_size() > 0) {
        recurrent_input_.set(executor, input, configuration.embed, {configuration.recurrent_input_size()}, passes,
                             precision);
    }
    attention_.set(executor, configuration.score, hidden, configuration.source_size(), parameters.attention, passes,
                   precision);
    if (configuration.style == Style::luong) {
        combine_.set(executor, parameters.combine, 0, {configuration.source_size(), hidden}, passes, precision);
    }
    std::vector<std::size_t> widths = {hidden};  // of what the output layer reads
    if (configuration.style == Style::bahdanau) widths.push_back(configuration.source_size());
    if (configuration.readout > 0) {
        widths.push_back(configuration.embed);
        readout_.set(executor, parameters.readout.weight, 0, widths, passes, precision, Rows::of_a_batch);
        readout_bias_ = parameters.readout.bias;
        widths = {configuration.readout};
    }
    head_.set(executor, configuration.tied ? parameters.target_embedding : parameters.head.weight, 0, widths, passes,
              precision, Rows::of_a_batch);
    head_bias_ = parameters.head.bias;
}

template void Decoder::set(simd::Executor&, const Configuration&, const Parameters&, Passes, simd::Precision);
template void Decoder::set(simd::Executor&, const Configuration&, const QuantizedParameters&, Passes, simd::Precision);

DecoderState Decoder::start(simd::Executor& executor, const Encoded& encoded) const {
    const std::size_t sentences = encoded.source.sentences();
    DecoderState state;
    if (configuration_.bridge) {
        const auto bridge = [&](const Projection& projection, const Vector& bias, const Matrix& final_state) {
            Matrix result({sentences, configuration_.dec_hidden});
            projection.forward(executor, view(final_state), view(result), Update::replace, &bias);
            for (std::size_t b = 0; b < sentences; ++b) {
                simd::tanh(row(result, b), row(result, b), result.shape(1));
            }
            return result;
        };
        for (const Matrix& h : encoded.final_h) state.h.push_back(bridge(bridge_h_, bridge_h_bias_, h));
        for (const Matrix& c : encoded.final_c) state.c.push_back(bridge(bridge_c_, bridge_c_bias_, c));
    } else {
        state.h = encoded.final_h;
        state.c = encoded.final_c;
    }
    if (configuration_.input_feeding) state.feed = zeros(sentences, configuration_.dec_hidden);
    return state;
}

SourceProducts Decoder::source_products(simd::Executor& executor, const SourceStates& source) const {
    const std::size_t hidden = configuration_.dec_hidden;
    const std::size_t state = configuration_.source_size();
    switch (configuration_.style) {
        case Style::bahdanau:  // the output layer, or what stands before it, reads [h; context; …]
            return {ContextProducts(executor, source, recurrent_input_, {0, state}),
                    ContextProducts(executor, source, configuration_.readout > 0 ? readout_ : head_, {hidden, state})};
        case Style::luong:  // [context; h]
            return {ContextProducts(), ContextProducts(executor, source, combine_, {0, state})};
        case Style::none:
            break;
    }
    return {};
}

void Decoder::embed_words(simd::Executor& executor, const Embedding& embedding, const std::vector<int>& ids,
                          DecoderTrace& trace, std::size_t first, const DecoderDropout* dropout) const {
    const MutableMatrixView embedded = view(trace.embedded).rows_from(first, ids.size());
    {
        const simd::Stage lookup(executor, "embedding");
        embedding.read(ids, embedded);
    }
    if (dropout != nullptr) dropout->embedding.apply(executor, embedded, first);
    embedding_input_.forward(executor, embedded, view(trace.layers[0].gates).rows_from(first, ids.size()),
                             Update::replace, &layers_[0].bias);
}

Decoder::Previous Decoder::previous(const DecoderState& state, std::size_t count) const {
    Previous result{};
    for (const Matrix& h : state.h) result.h.push_back(view(h).rows_from(0, count));
    for (const Matrix& c : state.c) result.c.push_back(view(c).rows_from(0, count));
    if (configuration_.input_feeding) result.feed = view(state.feed).rows_from(0, count);
    return result;
}

Decoder::Previous Decoder::previous(const DecoderTrace& trace, std::size_t first, std::size_t count) const {
    Previous result{};
    for (const auto& layer : trace.layers) {
        result.h.push_back(view(layer.h).rows_from(first, count));
        result.c.push_back(view(layer.c).rows_from(first, count));
    }
    if (configuration_.input_feeding) result.feed = view(trace.attentional).rows_from(first, count);
    return result;
}

void Decoder::step(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
                   const std::size_t* sentence_of_row, const Previous& previous, DecoderTrace& trace, std::size_t first,
                   std::size_t count, const DecoderDropout* dropout, const ForcedWeights* forced,
                   const SourceProducts* products) const {
    const std::size_t hidden = configuration_.dec_hidden;
    const std::size_t top = layers_.size() - 1;
    const auto rows = [&](Matrix& matrix) {
        return matrix.size() > 0 ? view(matrix).rows_from(first, count) : MutableMatrixView{};
    };
    const auto attend = [&](MatrixView query) {
        attention_.read(executor, keys, source, sentence_of_row, query, rows(trace.projected), rows(trace.weights),
                        rows(trace.context), forced);
    };

    if (configuration_.style == Style::bahdanau) {
        attend(previous.h[top]);
        const ContextProducts& read = products != nullptr ? products->lstm : kNoProducts;
        read.forward(executor, recurrent_input_, sentence_of_row, rows(trace.weights), rows(trace.context),
                     rows(trace.layers[0].gates), Update::add);
    } else if (configuration_.input_feeding) {
        recurrent_input_.forward(executor, previous.feed, rows(trace.layers[0].gates), Update::add);
    }
    for (std::size_t l = 0; l <= top; ++l) {
        DecoderTrace::Layer& layer = trace.layers[l];
        if (l > 0) {
            std::copy_n(row(trace.layers[l - 1].h, first), count * hidden, row(layer.input, first));
            if (dropout != nullptr) dropout->between_layers[l - 1].apply(executor, rows(layer.input), first);
            layers_[l].input.forward(executor, rows(layer.input), rows(layer.gates), Update::replace, &layers_[l].bias);
        }
        layers_[l].recurrent.forward(executor, previous.h[l], rows(layer.gates), Update::add);  // [count, 4 H]
        for_rows(executor, count, 8 * hidden, [&](std::size_t r) {
            simd::lstm_cell(row(layer.gates, first + r), previous.c[l].data + r * previous.c[l].stride,
                            row(layer.c, first + r), row(layer.tanh_c, first + r), row(layer.h, first + r), hidden);
        });
    }

    const std::size_t state = configuration_.source_size();
    if (configuration_.style == Style::bahdanau) {
        for (std::size_t r = first; r < first + count; ++r) {
            std::copy_n(row(trace.layers[top].h, r), hidden, row(trace.joined, r));
            std::copy_n(row(trace.context, r), state, row(trace.joined, r) + hidden);
        }
    } else if (configuration_.style == Style::luong) {
        attend(rows(trace.layers[top].h));
        for (std::size_t r = first; r < first + count; ++r) {
            std::copy_n(row(trace.context, r), state, row(trace.combined, r));
            std::copy_n(row(trace.layers[top].h, r), hidden, row(trace.combined, r) + state);
        }
        const ContextProducts& read = products != nullptr ? products->output : kNoProducts;
        read.forward(executor, combine_, sentence_of_row, rows(trace.weights), rows(trace.combined),
                     rows(trace.attentional), Update::replace);
        for_rows(executor, count, 4 * hidden, [&](std::size_t r) {
            simd::tanh(row(trace.attentional, first + r), row(trace.attentional, first + r), hidden);
        });
    }
}

void Decoder::energies(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
                       const std::size_t* sentence_of_row, const Previous& previous, const DecoderTrace& trace,
                       std::size_t first, std::size_t count, MutableMatrixView energies) const {
    const MatrixView query = configuration_.style == Style::bahdanau
                                 ? previous.h.back()
                                 : view(trace.layers.back().h).rows_from(first, count);
    const MatrixView projected =
        trace.projected.size() > 0 ? view(trace.projected).rows_from(first, count) : MatrixView{};
    attention_.energies(executor, keys, source, sentence_of_row, query, projected, energies);
}

const Matrix& Decoder::features(const DecoderTrace& trace) const {
    switch (configuration_.style) {
        case Style::bahdanau:
            return trace.joined;
        case Style::luong:
            return trace.attentional;
        case Style::none:
            break;
    }
    return trace.layers.back().h;
}

MatrixView Decoder::output_input(simd::Executor& executor, DecoderTrace& trace, std::size_t first,
                                 std::size_t count) const {
    if (configuration_.readout == 0) return view(features(trace)).rows_from(first, count);
    return read_out(executor, kNoProducts, nullptr, trace, first, count);
}

MatrixView Decoder::read_out(simd::Executor& executor, const ContextProducts& products,
                             const std::size_t* sentence_of_row, DecoderTrace& trace, std::size_t first,
                             std::size_t count) const {
    const Matrix& read = features(trace);
    const std::size_t size = read.shape(1);
    for (std::size_t r = first; r < first + count; ++r) {
        std::copy_n(row(read, r), size, row(trace.readout_in, r));
        std::copy_n(row(trace.embedded, r), configuration_.embed, row(trace.readout_in, r) + size);
    }
    const MutableMatrixView readout = view(trace.readout).rows_from(first, count);
    products.forward(executor, readout_, sentence_of_row, view(trace.weights).rows_from(first, count),
                     view(trace.readout_in).rows_from(first, count), readout, Update::replace, &readout_bias_);
    for_rows(executor, count, 4 * readout.columns, [&](std::size_t r) {
        float* values = readout.data + r * readout.stride;
        simd::tanh(values, values, readout.columns);
    });
    return readout;
}

void Decoder::logits(simd::Executor& executor, MatrixView output_input, MutableMatrixView logits) const {
    head_.forward(executor, output_input, logits, Update::replace, &head_bias_);
}

void Decoder::logits(simd::Executor& executor, const SourceProducts& products, const std::size_t* sentence_of_row,
                     DecoderTrace& trace, std::size_t first, std::size_t count, MutableMatrixView result) const {
    if (configuration_.style != Style::bahdanau) {
        logits(executor, output_input(executor, trace, first, count), result);
    } else if (configuration_.readout > 0) {
        logits(executor, read_out(executor, products.output, sentence_of_row, trace, first, count), result);
    } else {
        products.output.forward(executor, head_, sentence_of_row, view(trace.weights).rows_from(first, count),
                                view(trace.joined).rows_from(first, count), result, Update::replace, &head_bias_);
    }
}

}  // namespace softalign
