#include "native/evaluate/text_units.hpp"

#include "core/text/bpe.hpp"
#include "core/text/chars.hpp"
#include "core/text/words.hpp"
#include "tests/catch.hpp"

using namespace softalign;

namespace {

std::vector<std::string> texts(const std::vector<TextUnit>& units) {
    std::vector<std::string> result;
    for (const TextUnit& unit : units) result.push_back(unit.text);
    return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("pieces are joined to words, and EOS stands alone") {
    const auto tokenizer = make_bpe_tokenizer({"▁", "a", "b", "c", "ab", "▁ab"}, true);
    const std::string text = "abc xc b";  // x is unknown
    const auto units = units_of(text, tokenizer->encode(text), Grouping::words);
    CHECK(texts(units) == Texts{"abc", "xc", "b", "</s>"});
    CHECK(units[0].tokens == std::vector<std::size_t>{0, 1});
    CHECK(units.back().special);
    CHECK(natural_grouping(*tokenizer) == Grouping::words);
}

TEST_CASE("characters are units of their own, or words where words are asked for") {
    const auto tokenizer = make_chars_tokenizer({"a", "b", " "}, false);
    const std::string text = "ab b";
    CHECK(texts(units_of(text, tokenizer->encode(text), Grouping::tokens)) == Texts{"a", "b", "␣", "b"});
    CHECK(texts(units_of(text, tokenizer->encode(text), Grouping::words)) == Texts{"ab", "b"});
    CHECK(natural_grouping(*tokenizer) == Grouping::tokens);
}

TEST_CASE("a joined alignment sums over source pieces and averages over target pieces") {
    const std::vector<TextUnit> source{{"ab", {0, 1}, false}, {"c", {2}, false}};
    const std::vector<TextUnit> target{{"x", {0}, false}, {"yz", {1, 2}, false}};
    const Matrix alignment{{0.5F, 0.25F, 0.25F}, {0.125F, 0.125F, 0.75F}, {0.0F, 0.75F, 0.25F}};
    const Matrix joined = join_alignment(source, target, alignment);
    CHECK(joined(0, 0) == Approx(0.75));
    CHECK(joined(0, 1) == Approx(0.25));
    CHECK(joined(1, 0) == Approx(0.5));
    CHECK(joined(1, 1) == Approx(0.5));
}

TEST_CASE("the strongest link of a target word is none where it reads from the end of the sentence") {
    const std::vector<TextUnit> source{{"a", {0}, false}, {"</s>", {1}, true}};
    const std::vector<TextUnit> target{{"x", {0}, false}, {"y", {1}, false}, {"</s>", {2}, true}};
    const Matrix alignment{{0.9F, 0.1F}, {0.2F, 0.8F}, {1.0F, 0.0F}};
    CHECK(strongest_links(source, target, alignment) == metrics::Links{{0, 0}});
}
