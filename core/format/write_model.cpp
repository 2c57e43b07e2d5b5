#include <cmath>
#include <deque>

#include "core/error.hpp"
#include "core/format/half.hpp"
#include "core/format/model_file.hpp"
#include "core/format/model_keys.hpp"
#include "core/json.hpp"
#include "core/nn/quantize.hpp"

namespace softalign {

using nlohmann::json;

namespace {

/// The tensors of a model as they are stored, and the memory of those that had to be converted.
class StoredTensors {
  public:
    explicit StoredTensors(Storage storage) : storage_(storage) {}

    void add(const ConstNamedTensor& parameter) {
        if (storage_ == Storage::f32 || parameter.shape.size() != 2) {
            tensors_.push_back({parameter.name, DataType::f32, parameter.shape, parameter.data});
        } else if (storage_ == Storage::f16) {
            add_half(parameter);
        } else {
            const QuantizedMatrix& quantized =
                quantized_.emplace_back(quantize(parameter.data, parameter.shape[0], parameter.shape[1]));
            tensors_.push_back({parameter.name, DataType::i8, parameter.shape, quantized.values.get()});
            tensors_.push_back(
                {parameter.name + kScaleSuffix, DataType::f32, {quantized.rows}, quantized.scale.data()});
        }
    }

    std::vector<TensorToWrite>& tensors() { return tensors_; }

  private:
    void add_half(const ConstNamedTensor& parameter) {
        std::vector<std::uint16_t>& halves = halves_.emplace_back(parameter.size);
        for (std::size_t i = 0; i < parameter.size; ++i) {
            halves[i] = half_from_float(parameter.data[i]);
            if (!std::isfinite(float_from_half(halves[i]))) {
                throw UsageError("tensor \"" + parameter.name + "\": " + std::to_string(parameter.data[i]) +
                                 " is too large for F16; store the model as F32.");
            }
        }
        tensors_.push_back({parameter.name, DataType::f16, parameter.shape, halves.data()});
    }

    Storage storage_;
    std::vector<TensorToWrite> tensors_;
    // Deques, because the tensors point into their elements.
    std::deque<std::vector<std::uint16_t>> halves_;
    std::deque<QuantizedMatrix> quantized_;
};

json tokenizer_to_write(const std::shared_ptr<const Tokenizer>& tokenizer, const char* side, std::size_t vocabulary) {
    if (tokenizer == nullptr)
        throw UsageError(std::string("A model cannot be written without its ") + side + " tokenizer.");
    if (tokenizer->vocabulary_size() != vocabulary) {
        throw UsageError(std::string("The ") + side + " tokenizer has " + std::to_string(tokenizer->vocabulary_size()) +
                         " symbols, but the embedding has " + std::to_string(vocabulary) + " rows.");
    }
    return tokenizer->to_json();
}

std::string text_of(const ModelDescription& model) {
    const Configuration& configuration = model.configuration;
    if (!model.card.is_object()) throw UsageError("The card of a model must be a JSON object.");
    const json object{{"version", kModelVersion},
                      {"configuration", configuration_to_json(configuration)},
                      {"tokenizers",
                       {{"source", tokenizer_to_write(model.source_tokenizer, "source", configuration.src_vocab)},
                        {"target", tokenizer_to_write(model.target_tokenizer, "target", configuration.tgt_vocab)}}},
                      {"card", model.card}};
    return dump_json(object, kModelKey);
}

void require_writable(const ConstNamedTensor& parameter) {
    std::size_t size = 1;
    for (std::size_t extent : parameter.shape) size *= extent;
    if (size != parameter.size) {
        throw UsageError("tensor \"" + parameter.name + "\": it has " + std::to_string(parameter.size) +
                         " numbers, but the configuration needs " + shape_text(parameter.shape) + ".");
    }
    for (std::size_t i = 0; i < size; ++i) {
        if (!std::isfinite(parameter.data[i])) {
            throw UsageError("tensor \"" + parameter.name +
                             "\": a parameter is not a finite number; a model that diverged cannot be written.");
        }
    }
}

}  // namespace

std::vector<std::uint8_t> write_model(const ModelDescription& description, const Parameters& parameters,
                                      Storage storage, const std::vector<TensorToWrite>& extra,
                                      const std::map<std::string, std::string>& extra_metadata) {
    StoredTensors stored(storage);
    for (const ConstNamedTensor& parameter : named_tensors(parameters, description.configuration)) {
        require_writable(parameter);
        stored.add(parameter);
    }
    for (const TensorToWrite& tensor : extra) {
        if (!has_training_name(tensor.name)) {
            throw UsageError("The name of " + shown_text(tensor.name) + " must start with \"" + kTrainingPrefix +
                             "\".");
        }
        stored.tensors().push_back(tensor);
    }
    std::map<std::string, std::string> metadata{{kModelKey, text_of(description)}};
    for (const auto& entry : extra_metadata) {
        if (!has_training_name(entry.first)) {
            throw UsageError("The key " + shown_text(entry.first) + " must start with \"" + kTrainingPrefix + "\".");
        }
        metadata.insert(entry);
    }
    return write_safetensors(stored.tensors(), metadata);
}

}  // namespace softalign
