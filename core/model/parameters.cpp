#include "core/model/parameters.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace softalign {
namespace {

constexpr InitialValues kSmallVectors{0.1};  // of words

/// The one list of a model's layers, which describe themselves: calls visit(name, tensor, shape, initial, reads) for
/// each parameter of the configuration, in the order of the file. `parameters` needs its layers, but its tensors may
/// still be empty.
/// @tparam Model ParametersOf, const or not
template <typename Model, typename Visitor>
void visit_parameters(Model& parameters, const Configuration& c, const Visitor& visit) {
    const auto named = [&](const std::string& prefix, const std::string& suffix = "") {
        return [&visit, prefix, suffix](const std::string& name, auto& tensor, const Shape& shape,
                                        const InitialValues& initial, const Reads& read) {
            visit(prefix + name + suffix, tensor, shape, initial, read);
        };
    };
    const std::size_t source = c.source_size();
    const std::size_t hidden = c.dec_hidden;

    visit("encoder.embed.weight", parameters.source_embedding, Shape{c.src_vocab, c.embed}, kSmallVectors, Reads{});
    for (std::size_t layer = 0; layer < c.layers; ++layer) {
        const CellSizes sizes{c.enc_hidden, layer == 0 ? c.embed : source};
        const std::string suffix = "_l" + std::to_string(layer);
        visit_cell(parameters.encoder[layer], named("encoder.rnn.", suffix), c.cell, sizes, Per::source_word);
        if (!c.bidirectional) continue;
        visit_cell(parameters.encoder_reverse[layer], named("encoder.rnn.", suffix + "_reverse"), c.cell, sizes,
                   Per::source_word);
    }
    if (c.bridge) visit_linear(parameters.bridge_h, named("bridge_h."), hidden, source, Per::sentence);
    if (c.bridge && kind(c.cell).has_c) {
        visit_linear(parameters.bridge_c, named("bridge_c."), hidden, source, Per::sentence);
    }

    visit("decoder.embed.weight", parameters.target_embedding, Shape{c.tgt_vocab, c.embed}, kSmallVectors,
          c.tied ? reads(Per::target_word, c.embed) : Reads{});
    visit_attention(parameters.attention, named("decoder.attn."), c.score, c.attention_sizes());
    for (std::size_t layer = 0; layer < c.layers; ++layer) {
        const CellSizes sizes{hidden, layer == 0 ? c.first_layer_input_size() : hidden};
        visit_cell(parameters.decoder[layer], named("decoder.rnn." + std::to_string(layer) + "."), c.cell, sizes,
                   Per::target_word);
    }
    visit_style(parameters.style, named("decoder."), c.style, c.style_sizes());
    if (c.readout > 0) {
        visit_linear(parameters.readout, named("decoder.readout."), c.readout, c.decoder_output_size() + c.embed,
                     Per::target_word);
    }
    const std::size_t head = c.head_input_size();
    if (!c.tied) {
        visit("decoder.head.weight", parameters.head.weight, Shape{c.tgt_vocab, head}, glorot(c.tgt_vocab, head),
              reads(Per::target_word, head));
    }
    visit("decoder.head.bias", parameters.head.bias, Shape{c.tgt_vocab}, starting_at_zero(),
          reads(Per::target_word, 1));
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
    visit_parameters(
        parameters, configuration,
        [](const std::string&, auto& tensor, const Shape& shape, const auto&...) { allocate(tensor, shape); });
    return parameters;
}

template struct ParametersOf<Matrix>;
template struct ParametersOf<QuantizedMatrix>;

std::vector<ParameterDescription> parameters_of(const Configuration& configuration) {
    std::vector<ParameterDescription> descriptions;
    Parameters none = with_empty_tensors<Matrix>(configuration);
    visit_parameters(
        none, configuration,
        [&](const std::string& name, const auto&, const Shape& shape, const InitialValues& initial, const Reads& read) {
            descriptions.push_back({name, shape, initial, read});
        });
    return descriptions;
}

namespace {

template <typename Number, typename Model>
std::vector<NamedTensorOf<Number>> tensors_of(Model& parameters, const Configuration& configuration) {
    std::vector<NamedTensorOf<Number>> tensors;
    visit_parameters(parameters, configuration,
                     [&](const std::string& name, auto& tensor, const Shape& shape, const auto&...) {
                         tensors.push_back({name, shape, tensor.data(), tensor.size()});
                     });
    return tensors;
}

}  // namespace

std::vector<NamedTensor> named_tensors(Parameters& parameters, const Configuration& configuration) {
    return tensors_of<float>(parameters, configuration);
}
std::vector<ConstNamedTensor> named_tensors(const Parameters& parameters, const Configuration& configuration) {
    return tensors_of<const float>(parameters, configuration);
}

std::vector<NamedQuantizedTensor> named_tensors(QuantizedParameters& parameters, const Configuration& configuration) {
    std::vector<NamedQuantizedTensor> tensors;
    visit_parameters(parameters, configuration,
                     [&](const std::string& name, auto& tensor, const Shape& shape, const auto&...) {
                         tensors.push_back({name, shape, &tensor});
                     });
    return tensors;
}

std::shared_ptr<const Parameters> floats_of(const StoredParameters& stored, const Configuration& configuration) {
    if (const auto* floats = std::get_if<std::shared_ptr<const Parameters>>(&stored)) return *floats;
    const QuantizedParameters& quantized = *std::get<std::shared_ptr<const QuantizedParameters>>(stored);
    auto parameters = std::make_shared<Parameters>(Parameters::zeros(configuration));
    const std::vector<NamedTensor> to = named_tensors(*parameters, configuration);
    std::size_t next = 0;
    visit_parameters(quantized, configuration, [&](const std::string&, const auto& tensor, const auto&...) {
        float* const out = to[next++].data;
        if constexpr (std::is_same_v<std::decay_t<decltype(tensor)>, QuantizedMatrix>) {
            dequantize(tensor, out);
        } else {
            std::copy_n(tensor.data(), tensor.size(), out);
        }
    });
    return parameters;
}

std::uint64_t parameter_count(const Configuration& configuration) {
    std::uint64_t count = 0;
    for (const ParameterDescription& parameter : parameters_of(configuration)) {
        std::uint64_t size = 1;
        for (const std::size_t extent : parameter.shape) size *= extent;
        count += size;
    }
    return count;
}

double multiply_adds(const Configuration& configuration, std::size_t source_words, std::size_t target_words) {
    const auto pairs = static_cast<double>(source_words * target_words);
    double count =
        pairs * static_cast<double>(products_per_word_pair(configuration.score, configuration.attention_sizes()));
    for (const auto& [name, shape, initial, read] : parameters_of(configuration)) {
        if (shape.size() != 2) continue;  // biases are only added
        const std::size_t columns = read.source_word * source_words + read.target_word * target_words + read.sentence;
        count += static_cast<double>(shape[0]) *
                 (static_cast<double>(columns) + pairs * static_cast<double>(read.word_pair));
    }
    return count;
}

}  // namespace softalign
