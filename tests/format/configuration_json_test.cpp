#include <functional>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/format/small_model.hpp"

using namespace softalign;

namespace {

std::string refusal(const std::function<void(nlohmann::json&)>& change) {
    auto object = configuration_to_json(small_configuration());
    change(object);
    try {
        configuration_from_json(object);
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

TEST_CASE("a configuration is the same after a journey through its JSON") {
    Configuration c = small_configuration();
    CHECK(configuration_from_json(configuration_to_json(c)) == c);
    c.style = Style::luong;
    c.score = Score::general;
    c.input_feeding = true;
    c.readout = c.embed;
    c.tied = true;
    c.layers = 3;
    CHECK(configuration_from_json(configuration_to_json(c)) == c);
}

TEST_CASE("keys that have a usual value may be left out") {
    const Configuration c = configuration_from_json(nlohmann::json::parse(
        R"({"src_vocab":7,"tgt_vocab":6,"embed":4,"enc_hidden":5,"dec_hidden":5,"style":"luong","score":"dot"})"));
    CHECK(c.layers == 1);
    CHECK(c.attn == 0);
    CHECK(c.readout == 0);
    CHECK_FALSE(c.bidirectional);
    CHECK_FALSE(c.bridge);
    CHECK_FALSE(c.input_feeding);
    CHECK_FALSE(c.tied);
    CHECK(c.cell == Cell::lstm);
}

TEST_CASE("a missing key is named") {
    for (const char* key : {"src_vocab", "tgt_vocab", "embed", "enc_hidden", "dec_hidden", "style", "score"}) {
        CHECK(mentions(refusal([&](nlohmann::json& object) { object.erase(key); }), key));
    }
}

TEST_CASE("an unknown key and a value of the wrong type are named") {
    CHECK(mentions(refusal([](nlohmann::json& object) { object["heads"] = 8; }), "\"heads\" is unknown"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["embed"] = "4"; }), "embed"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["embed"] = -4; }), "embed"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["embed"] = 4.5; }), "embed"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["attn"] = 1ULL << 40U; }), "attn"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["bridge"] = 1; }), "bridge"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["style"] = 1; }), "style"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["score"] = "cosine"; }), "cosine"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["cell"] = "elman"; }), "elman"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object["layers"] = 0; }), "layers"));
    CHECK(mentions(refusal([](nlohmann::json& object) { object = nlohmann::json::array(); }), "object"));
}
