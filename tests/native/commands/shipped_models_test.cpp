#include <map>
#include <nlohmann/json.hpp>

#include "core/translator.hpp"
#include "native/data/normalise.hpp"
#include "native/system/files.hpp"
#include "tests/catch.hpp"

using namespace softalign;

namespace {

const std::string kModels = std::string(SOFTALIGN_SOURCE_DIR) + "/models/";

/// Texts, and what a model of the task makes of them.
const std::map<std::string, std::vector<std::pair<std::string, std::string>>> kKnown{
    {"translation", {{"It's raining.", "Il pleut."}}},
    {"pronunciation", {{"thought", "TH AO T"}, {"Baker", "B EY K ER"}}},
    {"dates", {{"Tuesday, March 3rd, 1998", "1998-03-03"}, {"3.4.'11", "2011-04-03"}}},
    {"reverse", {{"abc", "cba"}, {"talk", "klat"}}},
};

}  // namespace

TEST_CASE("every shipped model is as the manifest has it and says what it is known to say") {
    const auto manifest = nlohmann::json::parse(read_text_file(kModels + "manifest.json"));
    REQUIRE_FALSE(manifest.at("models").empty());
    simd::SerialExecutor executor;
    for (const auto& listed : manifest.at("models")) {
        const auto file = listed.at("file").get<std::string>();
        INFO(file);
        const auto bytes = file_bytes(read_file(kModels + file));
        CHECK(bytes->size() == listed.at("bytes").get<std::size_t>());
        const Translator translator(read_model(bytes), to_nfc);
        CHECK(translator.description().card.at("title") == listed.at("title"));
        const auto known = kKnown.find(listed.at("task").get<std::string>());
        REQUIRE(known != kKnown.end());
        for (const auto& [text, expected] : known->second) {
            CHECK(translator.translate(text, {}, executor).hypotheses.at(0).text == expected);
        }
    }
}
