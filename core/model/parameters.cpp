#include "core/model/parameters.hpp"

#include <algorithm>
#include <utility>

namespace softalign {
namespace {

using Shape = std::vector<std::size_t>;

/// The one list of a model's parameters: calls visit(name, tensor, shape) for each that the configuration has, in
/// order. `parameters` needs its layers; its tensors may still be empty.
template <typename Weights, typename Visitor>
void visit_parameters(ParametersOf<Weights>& parameters, const Configuration& c, Visitor&& visit) {
    const auto visit_lstm = [&](const std::string& prefix, const std::string& suffix, LstmParametersOf<Weights>& lstm,
                                std::size_t input, std::size_t hidden) {
        visit(prefix + "weight_ih" + suffix, lstm.weight_ih, Shape{4 * hidden, input});
        visit(prefix + "weight_hh" + suffix, lstm.weight_hh, Shape{4 * hidden, hidden});
        visit(prefix + "bias_ih" + suffix, lstm.bias_ih, Shape{4 * hidden});
        visit(prefix + "bias_hh" + suffix, lstm.bias_hh, Shape{4 * hidden});
    };
    const auto visit_linear = [&](const std::string& prefix, LinearParametersOf<Weights>& linear, std::size_t input,
                                  std::size_t output) {
        visit(prefix + ".weight", linear.weight, Shape{output, input});
        visit(prefix + ".bias", linear.bias, Shape{output});
    };
    const std::size_t source = c.source_size();
    const std::size_t hidden = c.dec_hidden;

    visit("encoder.embed.weight", parameters.source_embedding, Shape{c.src_vocab, c.embed});
    for (std::size_t layer = 0; layer < c.layers; ++layer) {
        const std::size_t input = layer == 0 ? c.embed : source;
        const std::string suffix = "_l" + std::to_string(layer);
        visit_lstm("encoder.rnn.", suffix, parameters.encoder[layer], input, c.enc_hidden);
        if (c.bidirectional) {
            visit_lstm("encoder.rnn.", suffix + "_reverse", parameters.encoder_reverse[layer], input, c.enc_hidden);
        }
    }
    if (c.bridge) {
        visit_linear("bridge_h", parameters.bridge_h, source, hidden);
        visit_linear("bridge_c", parameters.bridge_c, source, hidden);
    }

    visit("decoder.embed.weight", parameters.target_embedding, Shape{c.tgt_vocab, c.embed});
    AttentionParametersOf<Weights>& attention = parameters.attention;
    if (c.score == Score::additive) {
        visit("decoder.attn.Wh.weight", attention.Wh, Shape{c.attn, source});
        visit("decoder.attn.Ws.weight", attention.Ws, Shape{c.attn, hidden});
    } else if (c.score == Score::concat) {
        visit("decoder.attn.W.weight", attention.W, Shape{c.attn, hidden + source});
    } else if (c.score == Score::general) {
        visit("decoder.attn.W.weight", attention.W, Shape{source, hidden});
    }
    if (c.score == Score::additive || c.score == Score::concat) {
        visit("decoder.attn.v.weight", attention.v, Shape{1, c.attn});
    }
    for (std::size_t layer = 0; layer < c.layers; ++layer) {
        const std::size_t input = layer == 0 ? c.embed + c.recurrent_input_size() : hidden;
        visit_lstm("decoder.rnn." + std::to_string(layer) + ".", "", parameters.decoder[layer], input, hidden);
    }
    if (c.style == Style::luong) visit("decoder.combine.weight", parameters.combine, Shape{hidden, source + hidden});
    if (c.readout > 0) {
        visit_linear("decoder.readout", parameters.readout, c.decoder_output_size() + c.embed, c.readout);
    }
    if (!c.tied) visit("decoder.head.weight", parameters.head.weight, Shape{c.tgt_vocab, c.head_input_size()});
    visit("decoder.head.bias", parameters.head.bias, Shape{c.tgt_vocab});
}

template <typename Weights>
ParametersOf<Weights> with_empty_tensors(const Configuration& configuration) {
    ParametersOf<Weights> parameters;
    parameters.encoder.resize(configuration.layers);
    if (configuration.bidirectional) parameters.encoder_reverse.resize(configuration.layers);
    parameters.decoder.resize(configuration.layers);
    return parameters;
}

void allocate(Matrix& matrix, const Shape& shape) {
    matrix = zeros(shape[0], shape[1]);
}
void allocate(Vector& vector, const Shape& shape) {
    vector = zeros(shape[0]);
}
void allocate(QuantizedMatrix&, const Shape&) {}

}  // namespace

template <typename Weights>
ParametersOf<Weights> ParametersOf<Weights>::zeros(const Configuration& configuration) {
    ParametersOf parameters = with_empty_tensors<Weights>(configuration);
    visit_parameters(parameters, configuration,
                     [](const std::string&, auto& tensor, const Shape& shape) { allocate(tensor, shape); });
    return parameters;
}

template struct ParametersOf<Matrix>;
template struct ParametersOf<QuantizedMatrix>;

std::vector<NamedTensor> named_tensors(Parameters& parameters, const Configuration& configuration) {
    std::vector<NamedTensor> tensors;
    visit_parameters(parameters, configuration, [&](const std::string& name, auto& tensor, const Shape& shape) {
        tensors.push_back({name, shape, tensor.data(), tensor.size()});
    });
    return tensors;
}

std::vector<NamedQuantizedTensor> named_tensors(QuantizedParameters& parameters, const Configuration& configuration) {
    std::vector<NamedQuantizedTensor> tensors;
    visit_parameters(parameters, configuration, [&](const std::string& name, auto& tensor, const Shape& shape) {
        tensors.push_back({name, shape, &tensor});
    });
    return tensors;
}

Parameters floats_of(StoredParameters stored, const Configuration& configuration) {
    if (auto* floats = std::get_if<Parameters>(&stored)) return std::move(*floats);
    auto& quantized = std::get<QuantizedParameters>(stored);
    Parameters parameters = Parameters::zeros(configuration);
    const std::vector<NamedTensor> to = named_tensors(parameters, configuration);
    const std::vector<NamedQuantizedTensor> from = named_tensors(quantized, configuration);
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (const auto* matrix = std::get_if<QuantizedMatrix*>(&from[i].tensor)) {
            dequantize(**matrix, to[i].data);
        } else {
            const Vector& vector = *std::get<Vector*>(from[i].tensor);
            std::copy_n(vector.data(), vector.size(), to[i].data);
        }
    }
    return parameters;
}

std::vector<ParameterSpecification> parameters_of(const Configuration& configuration) {
    std::vector<ParameterSpecification> specifications;
    Parameters none = with_empty_tensors<Matrix>(configuration);
    visit_parameters(none, configuration, [&](const std::string& name, const auto&, const Shape& shape) {
        specifications.push_back({name, shape});
    });
    return specifications;
}

std::uint64_t parameter_count(const Configuration& configuration) {
    std::uint64_t count = 0;
    for (const ParameterSpecification& parameter : parameters_of(configuration)) {
        std::uint64_t size = 1;
        for (std::size_t extent : parameter.shape) size *= extent;
        count += size;
    }
    return count;
}

}  // namespace softalign
