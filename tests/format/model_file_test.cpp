#include "core/format/model_file.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/format/half.hpp"
#include "core/nn/quantize.hpp"
#include "tests/catch.hpp"
#include "tests/format/small_model.hpp"

using namespace softalign;
using nlohmann::json;

namespace {

StoredModel read(const std::vector<std::uint8_t>& file) {
    return read_model(file_bytes(file));
}

/// In the floats that they are.
const Parameters& floats_in(const StoredModel& model) {
    return *std::get<std::shared_ptr<const Parameters>>(model.parameters);
}

/// Quantised again, or whatever the storage is.
std::vector<std::uint8_t> rewritten(const StoredModel& model, Storage storage) {
    return write_model(model.description, *floats_of(model.parameters, model.description.configuration), storage);
}

bool same_numbers(const Vector& a, const Vector& b) {
    return a == b;
}

std::string refusal_of(const std::vector<std::uint8_t>& file) {
    try {
        read(file);
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

/// A valid model whose pieces can be exchanged for bad ones.
struct Parts {
    explicit Parts(Storage storage) : bytes(written(small_model(), storage)) {
        const SafeTensors file = parse_safetensors(bytes.data(), bytes.size());
        description = json::parse(file.metadata.at("softalign"));
        for (const auto& [name, view] : file.tensors) {
            tensors[name] = {view.type, view.shape, {view.data, view.data + view.bytes}};
        }
    }

    struct Tensor {
        DataType type = DataType::f32;
        std::vector<std::size_t> shape;
        std::vector<std::uint8_t> data;
    };

    std::vector<std::uint8_t> file() const {
        std::vector<TensorToWrite> list;
        for (const auto& [name, tensor] : tensors) {
            list.push_back({name, tensor.type, tensor.shape, tensor.data.data()});
        }
        return write_safetensors(list, {{"softalign", description.dump()}});
    }

    std::vector<std::uint8_t> bytes;
    json description;
    std::map<std::string, Tensor> tensors;
};

std::string refusal(const std::function<void(Parts&)>& change, Storage storage = Storage::f32) {
    Parts parts(storage);
    change(parts);
    return refusal_of(parts.file());
}

bool mentions(const std::string& message, const std::string& part) {
    INFO(message);
    return message.find(part) != std::string::npos;
}

void store(Parts::Tensor& tensor, std::size_t index, float value) {
    std::memcpy(tensor.data.data() + index * sizeof value, &value, sizeof value);
}

}  // namespace

TEST_CASE("a model is read as it was written") {
    const SmallModel model = small_model();
    const StoredModel copy = read(written(model, Storage::f32));
    CHECK(copy.description.configuration == model.description.configuration);
    CHECK(values_of(copy) == values_of(model));
    CHECK(copy.description.source_tokenizer->to_json() == model.description.source_tokenizer->to_json());
    CHECK(copy.description.target_tokenizer->to_json() == model.description.target_tokenizer->to_json());
    CHECK(copy.description.card == model.description.card);
    CHECK(std::holds_alternative<std::shared_ptr<const Parameters>>(copy.parameters));
}

TEST_CASE("a model of every style and score is read as it was written") {
    for (Style style : {Style::bahdanau, Style::luong}) {
        for (Score score : {Score::additive, Score::concat, Score::general, Score::dot, Score::scaled_dot}) {
            Configuration c = small_configuration();
            c.style = style;
            c.score = score;
            c.dec_hidden = c.source_size();
            c.layers = 2;
            c.readout = c.embed;
            c.tied = true;
            c.input_feeding = style == Style::luong;
            const SmallModel model = small_model(c);
            CHECK(values_of(read(written(model, Storage::f32))) == values_of(model));
        }
    }
}

TEST_CASE("in F16 matrices are rounded and vectors are exact") {
    SmallModel model = small_model();
    const StoredModel copy = read(written(model, Storage::f16));
    CHECK(same_numbers(floats_in(copy).head.bias, model.parameters.head.bias));
    const Matrix& weight = model.parameters.head.weight;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        CHECK(floats_in(copy).head.weight.data()[i] == float_from_half(half_from_float(weight.data()[i])));
    }
}

TEST_CASE("in I8 matrices are read as they are stored and vectors are exact") {
    SmallModel model = small_model();
    const StoredModel copy = read(written(model, Storage::i8));
    const QuantizedParameters& parameters = *std::get<std::shared_ptr<const QuantizedParameters>>(copy.parameters);
    CHECK(same_numbers(parameters.head.bias, model.parameters.head.bias));
    const Matrix& embedding = model.parameters.source_embedding;
    const QuantizedMatrix expected = quantize(embedding.data(), 7, 4);
    const Matrix actual = floats_of(copy.parameters, copy.description.configuration)->source_embedding;
    CHECK(parameters.source_embedding.scale == expected.scale);
    for (std::size_t r = 0; r < expected.rows; ++r) {
        for (std::size_t c = 0; c < expected.columns; ++c) {
            CHECK(parameters.source_embedding.row(r)[c] == expected.row(r)[c]);
            CHECK(actual(r, c) == static_cast<float>(expected.row(r)[c]) * expected.scale[r]);
            CHECK(std::abs(actual(r, c) - embedding(r, c)) <= expected.scale[r] * 0.5001F);
        }
    }
}

TEST_CASE("a quantized model can be quantized again without further loss") {
    const auto once = written(small_model(), Storage::i8);
    const auto twice = rewritten(read(once), Storage::i8);
    const SafeTensors first = parse_safetensors(once.data(), once.size());
    const SafeTensors second = parse_safetensors(twice.data(), twice.size());
    for (const auto& [name, tensor] : first.tensors) {
        if (tensor.type != DataType::i8) continue;
        INFO(name);
        const std::uint8_t* again = second.tensors.at(name).data;
        CHECK(std::equal(tensor.data, tensor.data + tensor.bytes, again));
    }
}

TEST_CASE("a header can be read while the rest of its file is on the way") {
    const SmallModel model = small_model();
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
        const std::vector<std::uint8_t> whole = written(model, storage);
        std::vector<std::uint8_t> arriving;
        arriving.reserve(whole.size());
        while (!has_whole_header(arriving.data(), arriving.size())) {
            REQUIRE(arriving.size() < whole.size());
            arriving.push_back(whole[arriving.size()]);
        }
        ModelHeader header = read_model_header(arriving.data(), whole.size());
        CHECK(header.description.configuration == model.description.configuration);
        arriving.insert(arriving.end(), whole.begin() + static_cast<std::ptrdiff_t>(arriving.size()), whole.end());
        const StoredModel read_in_parts = read_model(file_bytes(std::move(arriving)), std::move(header));
        CHECK(values_of(read_in_parts) == values_of(read(whole)));
    }
}

TEST_CASE("a checkpoint is a model, too") {
    const SmallModel model = small_model();
    const std::vector<float> moment{1, 2, 3};
    const auto file =
        write_model(model.description, model.parameters, Storage::f32,
                    {{"training.adam.m.x", DataType::f32, {3}, moment.data()}}, {{"training.state", "{}"}});
    CHECK(values_of(read(file)) == values_of(model));
    const SafeTensors tensors = parse_safetensors(file.data(), file.size());
    CHECK(to_floats(tensors.tensors.at("training.adam.m.x"), "moment") == moment);
    CHECK(tensors.metadata.at("training.state") == "{}");
}

TEST_CASE("what does not belong to training is not appended") {
    const float x = 0;
    const SmallModel small = small_model();
    CHECK_THROWS_AS(write_model(small.description, small.parameters, Storage::f32, {{"adam.m", DataType::f32, {}, &x}}),
                    UsageError);
    CHECK_THROWS_AS(write_model(small.description, small.parameters, Storage::f32, {}, {{"softalign", "{}"}}),
                    UsageError);
}

TEST_CASE("a model that could not be read back is not written") {
    SmallModel model = small_model();
    model.parameters.head.bias(0) = std::nanf("");
    CHECK_THROWS_AS(written(model, Storage::f32), UsageError);
    model = small_model();
    model.parameters.head.weight(0, 0) = 1e6F;
    CHECK_THROWS_AS(written(model, Storage::f16), UsageError);
    CHECK_NOTHROW(written(model, Storage::f32));
    model = small_model();
    model.parameters.head.bias = zeros(3);
    CHECK_THROWS_AS(written(model, Storage::f32), UsageError);
    model = small_model();
    model.description.source_tokenizer = nullptr;
    CHECK_THROWS_AS(written(model, Storage::f32), UsageError);
    model = small_model();
    model.description.target_tokenizer = make_chars_tokenizer({"a"}, false);
    CHECK_THROWS_AS(written(model, Storage::f32), UsageError);
    model = small_model();
    model.description.card = nlohmann::json::array();
    CHECK_THROWS_AS(written(model, Storage::f32), UsageError);
}

TEST_CASE("a file without the description of a model is refused") {
    CHECK(mentions(refusal_of(file_with_header("{}")), "softalign convert"));
    CHECK(mentions(refusal_of(file_with_header(R"({"__metadata__":{"softalign":"[]"}})")), "object"));
    CHECK(mentions(refusal_of(file_with_header(R"({"__metadata__":{"softalign":"{"}})")), "JSON"));
}

TEST_CASE("an unknown version is refused, whatever else stands there") {
    CHECK(mentions(refusal([](Parts& p) { p.description["version"] = 2; }), "version \"2\""));
    CHECK(mentions(refusal([](Parts& p) { p.description = {{"version", 99}, {"news", 1}}; }), "version \"99\""));
    CHECK(mentions(refusal([](Parts& p) { p.description["version"] = "1"; }), "version"));
    CHECK(mentions(refusal([](Parts& p) { p.description.erase("version"); }), "\"version\" is missing"));
}

TEST_CASE("a description with a missing, unknown or contradictory key is refused by it") {
    for (const char* key : {"configuration", "tokenizers", "card"}) {
        CHECK(mentions(refusal([&](Parts& p) { p.description.erase(key); }), key));
        CHECK(mentions(refusal([&](Parts& p) { p.description[key] = 1; }), key));
    }
    CHECK(mentions(refusal([](Parts& p) { p.description["more"] = 1; }), "\"more\" is unknown"));
    CHECK(mentions(refusal([](Parts& p) { p.description["tokenizers"].erase("target"); }), "target"));
    CHECK(mentions(refusal([](Parts& p) { p.description["tokenizers"]["third"] = 1; }), "third"));
    CHECK(mentions(refusal([](Parts& p) { p.description["tokenizers"]["source"]["kind"] = "x"; }), "source tokenizer"));
    CHECK(mentions(refusal([](Parts& p) { p.description["configuration"]["tied"] = true; }), "tied"));
}

TEST_CASE("a vocabulary that does not fit the embedding is refused") {
    CHECK(mentions(refusal([](Parts& p) { p.description["tokenizers"]["source"]["symbols"] = {"a"}; }),
                   "source tokenizer: it has 5 symbols, but src_vocab is 7"));
    CHECK(mentions(refusal([](Parts& p) { p.description["tokenizers"]["target"]["symbols"] = {"a"}; }),
                   "target tokenizer: it has 5 symbols, but tgt_vocab is 6"));
}

TEST_CASE("tensors that do not fit the configuration are refused by name") {
    CHECK(mentions(refusal([](Parts& p) { p.tensors.erase("decoder.head.bias"); }), "decoder.head.bias"));
    CHECK(mentions(refusal([](Parts& p) { p.tensors["decoder.extra"] = p.tensors["decoder.head.bias"]; }),
                   "decoder.extra"));
    CHECK(mentions(refusal([](Parts& p) { p.tensors["decoder.head.bias.scale"] = p.tensors["decoder.head.bias"]; }),
                   "decoder.head.bias.scale"));
    CHECK(mentions(refusal([](Parts& p) { p.tensors["bridge_h.weight"].shape = {6, 5}; }), "[6, 5]"));
    CHECK(mentions(refusal([](Parts& p) { p.tensors["bridge_h.weight"].shape = {30}; }), "bridge_h.weight"));
    CHECK(mentions(refusal([](Parts& p) { p.tensors["decoder.head.bias"].type = DataType::i32; }), "I32"));
    CHECK(mentions(refusal([](Parts& p) { p.description["configuration"]["layers"] = 2; }), "_l1"));
}

TEST_CASE("a configuration of a giant is refused before memory for it is asked for") {
    CHECK(mentions(refusal([](Parts& p) {
                       p.description["configuration"]["enc_hidden"] = 2000;
                       p.description["configuration"]["dec_hidden"] = 2000;
                   }),
                   "encoder.rnn"));
}

TEST_CASE("a parameter that is not finite is refused by its tensor") {
    for (float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
        CHECK(mentions(refusal([&](Parts& p) { store(p.tensors["bridge_c.weight"], 7, bad); }), "bridge_c.weight"));
    }
    CHECK(mentions(refusal([](Parts& p) { p.tensors["bridge_c.weight"].data[1] = 0x7C; }, Storage::f16),
                   "bridge_c.weight"));
}

TEST_CASE("an I8 matrix without a sound scale is refused") {
    const auto changed = [](const std::function<void(Parts&)>& change) { return refusal(change, Storage::i8); };
    const std::string name = "decoder.embed.weight.scale";
    CHECK(changed([](Parts&) {}) == "accepted");
    CHECK(mentions(changed([&](Parts& p) { p.tensors.erase(name); }), name));
    CHECK(mentions(changed([&](Parts& p) { store(p.tensors[name], 0, -1); }), name));
    CHECK(mentions(changed([&](Parts& p) { store(p.tensors[name], 0, std::nanf("")); }), name));
    CHECK(mentions(changed([&](Parts& p) { store(p.tensors[name], 0, 3e38F); }), name));
    CHECK(mentions(changed([&](Parts& p) { p.tensors[name].shape = {6, 1}; }), name));
    CHECK(mentions(changed([&](Parts& p) {
                       p.tensors[name].type = DataType::f16;
                       p.tensors[name].data.resize(12);
                   }),
                   name));
    CHECK(mentions(changed([](Parts& p) { p.tensors["decoder.embed.weight"].data[0] = 0x80; }), "-128"));
    CHECK(mentions(changed([](Parts& p) {
                       p.tensors["decoder.head.bias"].type = DataType::i8;
                       p.tensors["decoder.head.bias"].data.resize(6);
                   }),
                   "decoder.head.bias"));
}

TEST_CASE("a model cut at any length is refused") {
    for (Storage storage : {Storage::f32, Storage::i8}) {
        const auto file = written(small_model(), storage);
        for (std::size_t size = 0; size < file.size(); ++size) {
            // A copy of just that size lets a sanitizer see any read beyond it.
            const std::vector<std::uint8_t> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
            REQUIRE_THROWS_AS(read(cut), FormatError);
        }
    }
}

TEST_CASE("a model with any byte of its header changed is read or refused, never worse") {
    const auto file = written(small_model(), Storage::i8);
    const SafeTensors tensors = parse_safetensors(file.data(), file.size());
    const std::size_t header = file.size() - [&] {
        std::size_t data = 0;
        for (const auto& entry : tensors.tensors) data += entry.second.bytes;
        return data;
    }();
    std::size_t refused = 0;
    for (std::size_t place = 0; place < header; ++place) {
        for (unsigned change : {0x01U, 0x10U, 0x80U}) {
            auto changed = file;
            changed[place] = static_cast<std::uint8_t>(changed[place] ^ change);
            if (refusal_of(changed) != "accepted") ++refused;
        }
    }
    CHECK(refused > header);  // only changes inside texts such as the card are harmless
}
