#include "native/train/recipe.hpp"

#include <cmath>
#include <type_traits>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"

using namespace softalign;
using nlohmann::json;
using testing::contains;
using testing::starts_with;

namespace {

std::string refusal(const char* text) {
    Recipe recipe;
    try {
        apply(json::parse(text), "recipe.json", recipe);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a recipe changes what it names and leaves the rest") {
    Recipe recipe;
    apply(json::parse(R"({"model": {"embed": 7, "score": "dot", "tied": false}, "training": {"decay": "plateau"},
                          "tokenizers": {"source": "chars"}, "card": {"task": "toy"}})"),
          "recipe.json", recipe);
    CHECK(recipe.model.embed == 7);
    CHECK(recipe.model.score == Score::dot);
    CHECK_FALSE(recipe.model.tied);
    CHECK(recipe.model.dec_hidden == Recipe().model.dec_hidden);
    CHECK(recipe.training.schedule.decay == Decay::plateau);
    CHECK(recipe.tokenizers.source == TokenizerKind::chars);
    CHECK(recipe.card["task"] == "toy");
}

TEST_CASE("a recipe written as JSON reads back the same") {
    Recipe recipe;
    recipe.training.schedule.peak = 0.0007F;
    recipe.training.options.seed = 18446744073709551615ULL;
    recipe.training.criterion = Criterion::bleu;
    recipe.training.options.products = simd::Precision::bf16;
    recipe.model.style = Style::luong;
    Recipe again;
    apply(json::parse(to_json(recipe).dump()), "text", again);
    CHECK(to_json(again) == to_json(recipe));
    CHECK(again.training.schedule.peak == 0.0007F);
}

TEST_CASE("a bad key or value is named") {
    CHECK_THAT(refusal(R"({"modell": {}})"), starts_with("recipe.json: ") && contains("modell"));
    CHECK_THAT(refusal(R"({"model": {"embedd": 3}})"), contains("model.embedd"));
    CHECK_THAT(refusal(R"({"model": {"embed": -3}})"), contains("model.embed"));
    CHECK_THAT(refusal(R"({"model": {"embed": "3"}})"), contains("model.embed"));
    CHECK_THAT(refusal(R"({"model": {"tied": 1}})"), contains("model.tied"));
    CHECK_THAT(refusal(R"({"model": 1})"), contains("model"));
    CHECK_THAT(refusal(R"({"training": {"learning_rate": 1e300}})"), contains("training.learning_rate"));
    CHECK_THAT(refusal(R"({"training": {"decay": "fast"}})"), contains("decay") && contains("plateau"));
    CHECK_THAT(refusal(R"({"training": {"products": "f16"}})"), contains("products") && contains("bf16"));
    CHECK_THAT(refusal(R"({"training": {"output_dropout": 1.0}})"), contains("output_dropout"));
    CHECK_THAT(refusal(R"({"training": {"learning_rate": 0}})"), contains("learning_rate"));
    CHECK_THAT(refusal(R"({"training": {"epochs": 0}})"), contains("epochs"));
    CHECK_THAT(refusal(R"({"tokenizers": {"joint": true, "source": "chars"}})"), contains("joint"));
    CHECK_THAT(refusal("[]"), starts_with("recipe.json: "));
}

TEST_CASE("every number of a recipe has a range, and its refusal names it") {
    Recipe recipe;
    for_each_entry(recipe, [](const Entry& entry, auto& value) {
        using Value = std::remove_reference_t<decltype(value)>;
        if constexpr (std::is_floating_point_v<Value>) {
            CAPTURE(entry.key);
            CHECK_FALSE(complaint(entry.limits, -1).empty());
            CHECK_FALSE(complaint(entry.limits, std::nan("")).empty());
            CHECK(complaint(entry.limits, static_cast<double>(value)).empty());
        } else if constexpr (!std::is_enum_v<Value> && !std::is_same_v<Value, bool>) {
            CAPTURE(entry.key);
            CHECK(complaint(entry.limits, static_cast<double>(value)).empty());
        }
    });
    CHECK_THAT(refusal(R"({"training": {"plateau_factor": 1.5}})"), contains("above 0 and at most 1"));
    CHECK_THAT(refusal(R"({"training": {"average_decay": 1}})"), contains("at least 0 and below 1"));
    CHECK_THAT(refusal(R"({"training": {"teacher_forcing": -0.1}})"), contains("at least 0 and at most 1"));
    CHECK_THAT(refusal(R"({"training": {"epochs": 9999999999}})"), contains("at most"));
    CHECK_THAT(refusal(R"({"training": {"steps": 18446744073709551615}})"), contains("training.steps"));
    CHECK_THAT(refusal(R"({"model": {"layers": 0}})"), contains("model.layers") && contains("at least 1"));
}
