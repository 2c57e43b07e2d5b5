#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/format/small_model.hpp"

using namespace softalign;

namespace {

Configuration tied_configuration() {
    Configuration c = small_configuration();
    c.readout = c.embed;
    c.tied = true;
    return c;
}

/// A state_dict as PyTorch would save it: names, shapes, values.
struct StateDict {
    explicit StateDict(const Configuration& configuration) : model(small_model(configuration)) {
        for (const NamedTensor& tensor : named_tensors(model.parameters, configuration)) {
            tensors.push_back({tensor.name, DataType::f32, tensor.shape, tensor.data});
        }
    }

    TensorToWrite& tensor(const std::string& name) {
        for (TensorToWrite& each : tensors) {
            if (each.name == name) return each;
        }
        throw std::logic_error("no such tensor in the test");
    }

    Parameters convert() const {
        const auto file = write_safetensors(tensors, {});
        return parameters_from_state_dict(parse_safetensors(file.data(), file.size()), model.description.configuration);
    }

    std::vector<float> converted_values() const { return values_of(convert(), model.description.configuration); }

    SmallModel model;
    std::vector<TensorToWrite> tensors;
};

std::string refusal(const StateDict& dict) {
    try {
        dict.convert();
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

bool mentions(const std::string& message, const std::string& part) {
    INFO(message);
    return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a state_dict of the configuration's names becomes its parameters") {
    const StateDict dict(small_configuration());
    CHECK(dict.converted_values() == values_of(dict.model));
}

TEST_CASE("a common prefix is removed") {
    for (const char* prefix : {"module.", "model.", "net.module."}) {
        StateDict dict(small_configuration());
        for (TensorToWrite& tensor : dict.tensors) tensor.name = prefix + tensor.name;
        CHECK(dict.converted_values() == values_of(dict.model));
    }
}

TEST_CASE("a prefix that not all names share is refused") {
    StateDict dict(small_configuration());
    for (TensorToWrite& tensor : dict.tensors) {
        if (tensor.name != "decoder.head.bias") tensor.name = "module." + tensor.name;
    }
    CHECK(refusal(dict) != "accepted");
}

TEST_CASE("one decoder layer may be named without its number") {
    StateDict dict(small_configuration());
    for (const char* part : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
        dict.tensor(std::string("decoder.rnn.0.") + part).name = std::string("decoder.rnn.") + part;
    }
    CHECK(dict.converted_values() == values_of(dict.model));
}

TEST_CASE("of several decoder layers each needs its number") {
    Configuration c = small_configuration();
    c.layers = 2;
    StateDict dict(c);
    dict.tensor("decoder.rnn.0.weight_ih").name = "decoder.rnn.weight_ih";
    CHECK(mentions(refusal(dict), "decoder.rnn.0.weight_ih"));
}

TEST_CASE("a decoder layer that is there with and without its number is refused") {
    StateDict dict(small_configuration());
    TensorToWrite again = dict.tensor("decoder.rnn.0.bias_ih");
    again.name = "decoder.rnn.bias_ih";
    dict.tensors.push_back(again);
    CHECK(mentions(refusal(dict), "decoder.rnn.bias_ih"));
}

TEST_CASE("a tied output layer may stand in the file when it equals the embedding") {
    StateDict dict(tied_configuration());
    TensorToWrite head = dict.tensor("decoder.embed.weight");
    head.name = "decoder.head.weight";
    dict.tensors.push_back(head);
    CHECK(dict.converted_values() == values_of(dict.model));

    std::vector<float> other(dict.model.parameters.target_embedding.size(), 1.0F);
    dict.tensors.back().data = other.data();
    CHECK(mentions(refusal(dict), "decoder.head.weight"));
    dict.tensors.back().shape = {other.size()};
    CHECK(mentions(refusal(dict), "decoder.head.weight"));
}

TEST_CASE("doubles are converted, integers are refused") {
    StateDict dict(small_configuration());
    const std::vector<double> doubles(dict.model.description.configuration.tgt_vocab, 0.25);
    dict.tensor("decoder.head.bias").type = DataType::f64;
    dict.tensor("decoder.head.bias").data = doubles.data();
    CHECK(dict.convert().head.bias(3) == 0.25F);
    dict.tensor("decoder.head.bias").type = DataType::i64;
    CHECK(mentions(refusal(dict), "decoder.head.bias"));
}

TEST_CASE("a missing, unknown, ill-shaped or non-finite tensor is refused by name") {
    StateDict missing(small_configuration());
    missing.tensors.pop_back();
    CHECK(mentions(refusal(missing), "decoder.head.bias"));

    StateDict unknown(small_configuration());
    unknown.tensors.push_back({"decoder.dropout", DataType::f32, {0}, nullptr});
    CHECK(mentions(refusal(unknown), "decoder.dropout"));

    StateDict shaped(small_configuration());
    shaped.tensor("decoder.attn.v.weight").shape = {2};
    CHECK(mentions(refusal(shaped), "decoder.attn.v.weight"));

    StateDict infinite(small_configuration());
    infinite.model.parameters.bridge_c.bias(0) = std::nanf("");
    CHECK(mentions(refusal(infinite), "bridge_c.bias"));
}
