#include "core/model/parameters.hpp"

#include <functional>
#include <map>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/model/golden_case.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

/// Names and shapes of a golden folder's `w.` tensors, without the prefix.
std::map<std::string, std::vector<std::size_t>> golden_weights(const std::filesystem::path& folder) {
    const std::vector<std::uint8_t> bytes = read_bytes(folder / "tensors.safetensors");
    std::map<std::string, std::vector<std::size_t>> weights;
    for (const auto& [name, tensor] : parse_safetensors(bytes.data(), bytes.size()).tensors) {
        if (name.rfind("w.", 0) == 0) weights[name.substr(2)] = tensor.shape;
    }
    return weights;
}

Configuration small() {
    Configuration c;
    c.src_vocab = 11;
    c.tgt_vocab = 13;
    c.embed = 6;
    c.enc_hidden = 8;
    c.dec_hidden = 8;
    c.attn = 5;
    return c;
}

std::string refusal(const std::function<void(Configuration&)>& change) {
    Configuration c = small();
    change(c);
    try {
        c.validate();
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

bool names(const std::string& message, const std::string& key) {
    return message.rfind("configuration: " + key + ":", 0) == 0;
}

}  // namespace

TEST_CASE("golden: every folder has exactly the parameters of its configuration", "[golden]") {
    for (const std::filesystem::path& folder : golden_folders()) {
        INFO(folder);
        const Configuration configuration = golden_configuration(folder);
        REQUIRE_NOTHROW(configuration.validate());
        std::map<std::string, std::vector<std::size_t>> parameters;
        for (const auto& parameter : parameters_of(configuration)) parameters[parameter.name] = parameter.shape;
        CHECK(parameters == golden_weights(folder));
    }
}

TEST_CASE("named tensors have the names, order and sizes of the specification") {
    Configuration c = small();
    c.layers = 2;
    c.bidirectional = c.bridge = true;
    c.style = Style::luong;
    c.score = Score::concat;
    c.input_feeding = true;
    c.readout = c.embed;
    c.tied = true;
    c.validate();

    Parameters parameters = Parameters::zeros(c);
    const auto tensors = named_tensors(parameters, c);
    const auto specifications = parameters_of(c);
    REQUIRE(tensors.size() == specifications.size());
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        CHECK(tensors[i].name == specifications[i].name);
        CHECK(tensors[i].shape == specifications[i].shape);
        std::size_t size = 1;
        for (std::size_t extent : tensors[i].shape) size *= extent;
        CHECK(tensors[i].size == size);
        for (std::size_t k = 0; k < size; ++k) CHECK(tensors[i].data[k] == 0.0F);
        count += size;
    }
    CHECK(count == parameter_count(c));
    CHECK(parameters.head.weight.size() == 0);  // tied
}

TEST_CASE("an impossible value is refused by its key") {
    const std::size_t huge = ~std::size_t{0};
    CHECK(refusal([](Configuration&) {}) == "accepted");
    CHECK(names(refusal([](Configuration& c) { c.src_vocab = 4; }), "src_vocab"));
    CHECK(names(refusal([](Configuration& c) { c.tgt_vocab = 4; }), "tgt_vocab"));
    CHECK(names(refusal([&](Configuration& c) { c.tgt_vocab = huge; }), "tgt_vocab"));
    CHECK(names(refusal([](Configuration& c) { c.embed = 0; }), "embed"));
    CHECK(names(refusal([&](Configuration& c) { c.embed = huge; }), "embed"));
    CHECK(names(refusal([](Configuration& c) { c.enc_hidden = 0; }), "enc_hidden"));
    CHECK(names(refusal([&](Configuration& c) { c.enc_hidden = huge / 2 + 1; }), "enc_hidden"));
    CHECK(names(refusal([](Configuration& c) { c.dec_hidden = 0; }), "dec_hidden"));
    CHECK(names(refusal([&](Configuration& c) { c.attn = huge; }), "attn"));
    CHECK(names(refusal([](Configuration& c) { c.layers = 0; }), "layers"));
    CHECK(names(refusal([](Configuration& c) { c.layers = 17; }), "layers"));
    CHECK(names(refusal([&](Configuration& c) { c.readout = huge; }), "readout"));
}

TEST_CASE("settings that contradict each other are refused by the key") {
    CHECK(names(refusal([](Configuration& c) { c.style = Style::none; }), "score"));
    CHECK(names(refusal([](Configuration& c) { c.score = Score::none; }), "score"));
    CHECK(names(refusal([](Configuration& c) { c.attn = 0; }), "attn"));
    CHECK(names(refusal([](Configuration& c) {
                    c.score = Score::concat;
                    c.attn = 0;
                }),
                "attn"));
    CHECK(names(refusal([](Configuration& c) {
                    c.score = Score::dot;
                    c.bridge = true;
                    c.dec_hidden = 10;
                }),
                "score"));
    CHECK(names(refusal([](Configuration& c) {
                    c.score = Score::scaled_dot;
                    c.bidirectional = c.bridge = true;
                }),
                "score"));
    CHECK(names(refusal([](Configuration& c) { c.input_feeding = true; }), "input_feeding"));
    CHECK(names(refusal([](Configuration& c) { c.bidirectional = true; }), "bridge"));
    CHECK(names(refusal([](Configuration& c) { c.tied = true; }), "tied"));
}

TEST_CASE("a model too large to be addressed is refused although every value is in range") {
    const std::string message = refusal([](Configuration& c) {
        c.src_vocab = c.tgt_vocab = c.embed = c.enc_hidden = c.dec_hidden = std::size_t{1} << 20;
        c.layers = 16;
    });
    CHECK(message.find("parameters") != std::string::npos);
}

TEST_CASE("styles, scores and cells are read by their names and refused otherwise") {
    for (const StyleKind& style : kStyles) CHECK(value_named(kStyles, style.name, "style") == style.value);
    for (const ScoreKind& score : kScores) CHECK(value_named(kScores, score.name, "score") == score.value);
    for (const CellKind& cell : kCells) CHECK(value_named(kCells, cell.name, "cell") == cell.value);
    CHECK_THROWS_AS(value_named(kStyles, "bahdanou", "style"), FormatError);
    CHECK_THROWS_WITH(value_named(kScores, "", "score"), Catch::Contains("additive, concat, general"));
}

TEST_CASE("multiply-adds are counted from what each layer says of its parameters") {
    Configuration c;
    c.src_vocab = c.tgt_vocab = 10;
    c.embed = 3;
    c.enc_hidden = c.dec_hidden = 4;
    c.attn = 5;
    const auto of = [&](Style style, Score score) {
        c.style = style;
        c.score = score;
        c.attn = kind(score).has_units ? 5 : 0;
        return multiply_adds(c, 7, 6);
    };
    const double encoder = 7 * 16 * (3 + 4);
    const double plain = encoder + 6 * (16 * (3 + 4) + 4 * 10);
    CHECK(of(Style::none, Score::none) == plain);
    const double reads = 6 * (16 * 4 + 4 * 10) + 7 * 6 * 4;  // of contexts: input, output layer, weighted sums
    CHECK(of(Style::bahdanau, Score::dot) == plain + reads + 7 * 6 * 4);
    CHECK(of(Style::bahdanau, Score::general) == plain + reads + 7 * 6 * 4 + 7 * 4 * 4);
    const double units = 7 * 5 * 4 + 6 * 5 * 4 + 7 * 6 * 5;
    CHECK(of(Style::bahdanau, Score::additive) == plain + reads + units);
    CHECK(of(Style::bahdanau, Score::concat) == plain + reads + units);
    CHECK(of(Style::luong, Score::dot) == plain + 6 * 4 * 8 + 2 * 7 * 6 * 4);
}
