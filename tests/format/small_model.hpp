#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/format/model_file.hpp"
#include "core/text/chars.hpp"
#include "core/text/words.hpp"

namespace softalign {

inline Configuration small_configuration() {
    Configuration c;
    c.src_vocab = 7;
    c.tgt_vocab = 6;
    c.embed = 4;
    c.enc_hidden = 3;
    c.dec_hidden = 5;
    c.attn = 2;
    c.bidirectional = c.bridge = true;
    return c;
}

struct SmallModel {
    ModelDescription description;
    Parameters parameters;
};

/// A model whose parameters are all different.
inline SmallModel small_model(const Configuration& configuration = small_configuration()) {
    SmallModel model{{configuration,
                      make_chars_tokenizer({"a", "b", " "}, true),
                      make_words_tokenizer({"yes", "no"}, false),
                      {{"licence", "MIT"}, {"task", "test"}}},
                     Parameters::zeros(configuration)};
    float x = 0;
    for (const NamedTensor& tensor : named_tensors(model.parameters, configuration)) {
        for (std::size_t i = 0; i < tensor.size; ++i) tensor.data[i] = std::sin(x += 1);
    }
    return model;
}

inline std::vector<std::uint8_t> written(const SmallModel& model, Storage storage) {
    return write_model(model.description, model.parameters, storage);
}

inline std::vector<float> values_of(const Parameters& parameters, const Configuration& configuration) {
    std::vector<float> values;
    for (const ConstNamedTensor& tensor : named_tensors(parameters, configuration)) {
        values.insert(values.end(), tensor.data, tensor.data + tensor.size);
    }
    return values;
}
inline std::vector<float> values_of(const SmallModel& model) {
    return values_of(model.parameters, model.description.configuration);
}
inline std::vector<float> values_of(const StoredModel& model) {
    const Configuration& configuration = model.description.configuration;
    return values_of(*floats_of(model.parameters, configuration), configuration);
}

/// A safetensors file of this header, taken as it is, and this many zero bytes of data.
inline std::vector<std::uint8_t> file_with_header(const std::string& header, std::size_t data = 0) {
    std::vector<std::uint8_t> file(8 + header.size() + data, 0);
    const std::uint64_t size = header.size();
    for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<std::uint8_t>(size >> (8 * i));
    std::memcpy(file.data() + 8, header.data(), header.size());
    return file;
}

}  // namespace softalign
