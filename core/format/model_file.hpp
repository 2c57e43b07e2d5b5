#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/format/safetensors.hpp"
#include "core/json.hpp"
#include "core/model/configuration.hpp"
#include "core/model/parameters.hpp"
#include "core/text/tokenizer.hpp"

namespace softalign {

/// Everything in a model file but the numbers.
struct ModelDescription {
    Configuration configuration;
    std::shared_ptr<const Tokenizer> source_tokenizer;
    std::shared_ptr<const Tokenizer> target_tokenizer;
    nlohmann::json card = nlohmann::json::object();  ///< task, languages, data, licence, figures
};

/// What a model file holds.
struct StoredModel {
    ModelDescription description;
    StoredParameters parameters;  ///< 8-bit rows if every matrix is stored as I8, else floats
};

/// How a model's matrices are written; vectors are always F32.
enum class Storage { f32, f16, i8 };

/// Prefix of everything that a checkpoint holds besides the model ("training.adam.m.decoder.head.bias").
constexpr const char* kTrainingPrefix = "training.";

/// A whole file in memory. What is read from it may refer to its bytes and keeps them alive.
using FileBytes = std::shared_ptr<const std::vector<std::uint8_t>>;
inline FileBytes file_bytes(std::vector<std::uint8_t> bytes) {
    return std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
}

/// Reads an untrusted model or checkpoint; tensors and metadata for training are ignored. Throws FormatError that names
/// the tensor or key and the reason.
StoredModel read_model(const FileBytes& bytes);

/// A model file whose header alone has been read.
struct ModelHeader {
    ModelDescription description;
    SafeTensors tensors;  ///< as the configuration needs them
};

/// The first part of `read_model`, which needs only the header. @param size of the whole file
ModelHeader read_model_header(const std::uint8_t* bytes, std::size_t size);
/// The second part. @param bytes those whose header was read, by now complete
StoredModel read_model(const FileBytes& bytes, ModelHeader header);

/// The bytes of NAME.safetensors. With Storage::i8 matrices become I8 with one scale per row, symmetric, round to
/// nearest. `extra` tensors and metadata (optimiser state of a checkpoint) are appended as they are; their names start
/// with kTrainingPrefix. Throws UsageError for a model that could not be read back: parameters that do not fit the
/// configuration, are not finite or too large for F16, a tokenizer missing or of another size than the embedding.
std::vector<std::uint8_t> write_model(const ModelDescription& description, const Parameters& parameters,
                                      Storage storage, const std::vector<TensorToWrite>& extra = {},
                                      const std::map<std::string, std::string>& extra_metadata = {});

/// The parameters of a PyTorch state_dict saved as safetensors, for a model of this configuration. Accepts
/// `decoder.rnn.weight_ih` without a layer number and, where the output layer is tied, an equal `decoder.head.weight`;
/// an optional common prefix such as "module." or "model." is removed. Throws FormatError for a missing, unknown or
/// ill-shaped tensor.
Parameters parameters_from_state_dict(const SafeTensors& file, const Configuration& configuration);

/// The configuration as the JSON object that a model file stores, and back (untrusted; throws FormatError).
nlohmann::json configuration_to_json(const Configuration& configuration);
Configuration configuration_from_json(const nlohmann::json& object);

}  // namespace softalign
