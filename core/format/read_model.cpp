#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "core/format/model_file.hpp"
#include "core/format/model_keys.hpp"
#include "core/json.hpp"
#include "core/nn/quantize.hpp"

namespace softalign {

using nlohmann::json;

namespace {

const TensorView& tensor_named(const SafeTensors& file, const std::string& name) {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) throw FormatError("tensor \"" + name + "\": it is missing from the file.");
    return found->second;
}

void require_shape(const TensorView& tensor, const std::vector<std::size_t>& shape, const std::string& name) {
    if (tensor.shape != shape) {
        throw FormatError("tensor \"" + name + "\": its shape is " + shape_text(tensor.shape) +
                          ", but the configuration needs " + shape_text(shape) + ".");
    }
}

void require_finite(const float* values, std::size_t size, const std::string& name) {
    const auto finite = [](float value) { return std::isfinite(value); };
    // Written so that compilers vectorise it: the page is waiting for millions of weights.
    bool all = true;
    for (std::size_t i = 0; i < size; ++i) all &= finite(values[i]);
    if (all) return;
    throw FormatError("tensor \"" + name + "\": element " +
                      std::to_string(std::find_if_not(values, values + size, finite) - values) +
                      " is not a finite number (NaN or infinite).");
}

void require_symmetric(const std::int8_t* values, std::size_t size, const std::string& name) {
    std::int8_t least = 0;
    for (std::size_t i = 0; i < size; ++i) least = std::min(least, values[i]);  // also vectorised
    if (least < -127) {
        throw FormatError("tensor \"" + name + "\": it holds -128, but rows are symmetric, from -127 to 127.");
    }
}

/// @param bytes of the file, which the matrix refers to
QuantizedMatrix read_quantized(const FileBytes& bytes, const SafeTensors& file, const TensorView& tensor,
                               const std::string& name) {
    if (tensor.shape.size() != 2) throw FormatError("tensor \"" + name + "\": only a matrix may be stored as I8.");
    const std::string scale_name = name + kScaleSuffix;
    const TensorView& scale = tensor_named(file, scale_name);
    require_shape(scale, {tensor.shape[0]}, scale_name);
    if (scale.type != DataType::f32) throw FormatError("tensor \"" + scale_name + "\": its dtype must be F32.");

    const auto* values = reinterpret_cast<const std::int8_t*>(tensor.data);
    require_symmetric(values, tensor.bytes, name);
    QuantizedMatrix quantized{tensor.shape[0], tensor.shape[1], {bytes, values}, to_floats(scale, scale_name)};
    for (float each : quantized.scale) {
        // So that every product of the row is finite as well.
        if (!std::isfinite(each * 127) || each < 0) {
            throw FormatError("tensor \"" + scale_name + "\": a scale is negative, not finite or too large.");
        }
    }
    return quantized;
}

void read_floats(const TensorView& tensor, const std::string& name, float* out, std::size_t size) {
    if (tensor.type != DataType::f32 && tensor.type != DataType::f16) {
        throw FormatError("tensor \"" + name + "\": its dtype is " + softalign::name(tensor.type) +
                          "; a model holds F32, F16 or I8.");
    }
    to_floats(tensor, name, out);
    require_finite(out, size, name);
}

std::shared_ptr<const Parameters> read_as_floats(const FileBytes& bytes, const SafeTensors& file,
                                                 const Configuration& configuration) {
    const auto parameters = std::make_shared<Parameters>(Parameters::zeros(configuration));
    for (const NamedTensor& parameter : named_tensors(*parameters, configuration)) {
        const TensorView& tensor = tensor_named(file, parameter.name);
        if (tensor.type == DataType::i8) {
            dequantize(read_quantized(bytes, file, tensor, parameter.name), parameter.data);
        } else {
            read_floats(tensor, parameter.name, parameter.data, parameter.size);
        }
    }
    return parameters;
}

std::shared_ptr<const QuantizedParameters> read_as_integers(const FileBytes& bytes, const SafeTensors& file,
                                                            const Configuration& configuration) {
    const auto parameters = std::make_shared<QuantizedParameters>(QuantizedParameters::zeros(configuration));
    for (const NamedQuantizedTensor& parameter : named_tensors(*parameters, configuration)) {
        const TensorView& tensor = tensor_named(file, parameter.name);
        if (auto* const* matrix = std::get_if<QuantizedMatrix*>(&parameter.tensor)) {
            **matrix = read_quantized(bytes, file, tensor, parameter.name);
        } else {
            Vector& vector = *std::get<Vector*>(parameter.tensor);
            read_floats(tensor, parameter.name, vector.data(), vector.size());
        }
    }
    return parameters;
}

bool stores_every_matrix_as_integers(const SafeTensors& file, const Configuration& configuration) {
    const std::vector<ParameterDescription> parameters = parameters_of(configuration);
    return std::all_of(parameters.begin(), parameters.end(), [&](const ParameterDescription& parameter) {
        return parameter.shape.size() != 2 || tensor_named(file, parameter.name).type == DataType::i8;
    });
}

/// Checks, before anything of the configuration's sizes is allocated, that the file has exactly these parameters in
/// these shapes.
void check_tensors(const SafeTensors& file, const Configuration& configuration) {
    std::map<std::string, bool> known;  // whether the file stores it as I8
    for (const ParameterDescription& parameter : parameters_of(configuration)) {
        const TensorView& tensor = tensor_named(file, parameter.name);
        require_shape(tensor, parameter.shape, parameter.name);
        known[parameter.name] = tensor.type == DataType::i8;
    }
    for (const auto& entry : file.tensors) {
        const std::string& name = entry.first;
        if (known.count(name) != 0 || has_training_name(name)) continue;
        const std::size_t stem = name.size() - std::min(name.size(), std::strlen(kScaleSuffix));
        const auto scaled = known.find(name.substr(0, stem));
        if (scaled != known.end() && scaled->second && name.compare(stem, std::string::npos, kScaleSuffix) == 0)
            continue;
        throw FormatError("tensor " + shown_text(name) + ": a model of this configuration has no such tensor.");
    }
}

/// @param tokenizers this side's is moved out
std::shared_ptr<const Tokenizer> read_tokenizer(json& tokenizers, const char* side, std::size_t vocabulary,
                                                const char* key) {
    member(tokenizers, side, "tokenizers");
    std::shared_ptr<const Tokenizer> tokenizer;
    try {
        tokenizer = tokenizer_from_json(std::move(tokenizers[side]));
    } catch (const FormatError& error) {
        throw FormatError(std::string(side) + " " + error.what());
    }
    if (tokenizer->vocabulary_size() != vocabulary) {
        throw FormatError(std::string(side) + " tokenizer: it has " + std::to_string(tokenizer->vocabulary_size()) +
                          " symbols, but " + key + " is " + std::to_string(vocabulary) + ".");
    }
    return tokenizer;
}

}  // namespace

ModelHeader read_model_header(const std::uint8_t* bytes, std::size_t size) {
    SafeTensors file = parse_safetensors(bytes, size);
    const auto text = file.metadata.find(kModelKey);
    if (text == file.metadata.end()) {
        throw FormatError(
            "This safetensors file is not a softalign model: its __metadata__ has no key \"softalign\". A PyTorch "
            "state_dict can be turned into one with `softalign convert`.");
    }
    json object = parse_json(text->second, kModelKey);
    if (!object.is_object()) throw FormatError("softalign: it must be a JSON object.");
    const json& version = member(object, "version", kModelKey);
    if (version != kModelVersion) {
        throw FormatError("softalign: version " + shown_text(version.dump()) +
                          " of the model file is unknown; this program reads " + std::to_string(kModelVersion) + ".");
    }
    require_keys_among(object, {"version", "configuration", "tokenizers", "card"}, kModelKey);
    member(object, "tokenizers", kModelKey);
    json tokenizers = std::move(object["tokenizers"]);
    require_keys_among(tokenizers, {"source", "target"}, "tokenizers");
    if (!member(object, "card", kModelKey).is_object()) throw FormatError("card: it must be a JSON object.");

    ModelDescription description;
    description.card = std::move(object["card"]);
    description.configuration = configuration_from_json(member(object, "configuration", kModelKey));
    const Configuration& configuration = description.configuration;
    description.source_tokenizer = read_tokenizer(tokenizers, "source", configuration.src_vocab, "src_vocab");
    description.target_tokenizer = read_tokenizer(tokenizers, "target", configuration.tgt_vocab, "tgt_vocab");
    check_tensors(file, configuration);
    return {std::move(description), std::move(file)};
}

StoredModel read_model(const FileBytes& bytes, ModelHeader header) {
    const Configuration& configuration = header.description.configuration;
    StoredParameters parameters;
    if (stores_every_matrix_as_integers(header.tensors, configuration)) {
        parameters = read_as_integers(bytes, header.tensors, configuration);
    } else {
        parameters = read_as_floats(bytes, header.tensors, configuration);
    }
    return {std::move(header.description), std::move(parameters)};
}

StoredModel read_model(const FileBytes& bytes) {
    return read_model(bytes, read_model_header(bytes->data(), bytes->size()));
}

}  // namespace softalign
