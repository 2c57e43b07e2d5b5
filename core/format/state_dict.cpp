#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "core/error.hpp"
#include "core/format/model_file.hpp"
#include "core/json.hpp"

namespace softalign {
namespace {

/// The prefix of every tensor's name ("module."), or nothing.
std::string common_prefix(const SafeTensors& file) {
    constexpr std::string_view anchor = "encoder.embed.weight";
    for (const auto& entry : file.tensors) {
        const std::string& name = entry.first;
        if (name.size() < anchor.size() || name.compare(name.size() - anchor.size(), anchor.size(), anchor) != 0)
            continue;
        const std::string prefix = name.substr(0, name.size() - anchor.size());
        const bool is_common = std::all_of(file.tensors.begin(), file.tensors.end(), [&](const auto& other) {
            return other.first.compare(0, prefix.size(), prefix) == 0;
        });
        if (is_common) return prefix;
    }
    return "";
}

/// The parameter's name without the number of the decoder's only layer, as a single LSTMCell is saved.
std::string without_layer_number(const std::string& name) {
    constexpr std::string_view numbered = "decoder.rnn.0.";
    if (name.compare(0, numbered.size(), numbered) != 0) return name;
    return "decoder.rnn." + name.substr(numbered.size());
}

std::vector<float> finite_floats(const TensorView& tensor, const std::string& name) {
    std::vector<float> values = to_floats(tensor, name);
    if (!std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); })) {
        throw FormatError("tensor " + shown_text(name) + ": it holds NaN, or a number that is infinite as a float.");
    }
    return values;
}

/// PyTorch saves a shared matrix under both of its names. If the two differed, one would be lost.
void require_tied_head(const TensorView& head, const std::string& name, const Parameters& parameters) {
    const Matrix& embedding = parameters.target_embedding;
    const std::vector<float> values = finite_floats(head, name);
    const std::vector<std::size_t> shape{embedding.shape(0), embedding.shape(1)};
    if (head.shape != shape || !std::equal(values.begin(), values.end(), embedding.data())) {
        throw FormatError("tensor " + shown_text(name) +
                          ": the configuration says tied, but it differs from decoder.embed.weight.");
    }
}

}  // namespace

Parameters parameters_from_state_dict(const SafeTensors& file, const Configuration& configuration) {
    configuration.validate();
    const std::string prefix = common_prefix(file);
    std::set<std::string> read;
    Parameters parameters = Parameters::zeros(configuration);
    for (const NamedTensor& parameter : named_tensors(parameters, configuration)) {
        std::string name = prefix + parameter.name;
        if (configuration.layers == 1 && file.tensors.count(name) == 0) {
            name = prefix + without_layer_number(parameter.name);
        }
        const auto found = file.tensors.find(name);
        if (found == file.tensors.end()) {
            throw FormatError("tensor " + shown_text(prefix + parameter.name) + ": it is missing from the state_dict.");
        }
        const TensorView& tensor = found->second;
        if (tensor.shape != parameter.shape) {
            throw FormatError("tensor " + shown_text(name) + ": its shape is " + shape_text(tensor.shape) +
                              ", but the configuration needs " + shape_text(parameter.shape) + ".");
        }
        const std::vector<float> values = finite_floats(tensor, name);
        std::copy(values.begin(), values.end(), parameter.data);
        read.insert(name);
    }
    for (const auto& entry : file.tensors) {
        const std::string& name = entry.first;
        if (read.count(name) != 0) continue;
        if (configuration.tied && name == prefix + "decoder.head.weight") {
            require_tied_head(entry.second, name, parameters);
            continue;
        }
        throw FormatError("tensor " + shown_text(name) + ": a model of this configuration has no such parameter.");
    }
    return parameters;
}

}  // namespace softalign
