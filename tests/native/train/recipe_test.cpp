#include "native/train/recipe.hpp"

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
