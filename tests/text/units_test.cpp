#include "core/text/units.hpp"

#include "core/text/bpe.hpp"
#include "core/text/chars.hpp"
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

TEST_CASE("characters are units of their own, or what stands between spaces") {
    const auto tokenizer = make_chars_tokenizer({"a", "b", " "}, false);
    const std::string text = "ab b";
    CHECK(texts(units_of(text, tokenizer->encode(text), Grouping::tokens)) == Texts{"a", "b", "␣", "b"});
    CHECK(texts(units_of(text, tokenizer->encode(text), Grouping::spaces)) == Texts{"ab", "b"});
    CHECK(natural_grouping(*tokenizer) == Grouping::tokens);
}

TEST_CASE("punctuation stands beside words in pictures, and is a part of them between spaces") {
    const auto tokenizer = make_bpe_tokenizer({"▁", "a", "b", ".", ",", "’", "▁a", "…", "?"}, false);
    const std::string text = "ab’a, b?.";
    const std::vector<Token> tokens = tokenizer->encode(text);
    CHECK(texts(units_of(text, tokens, Grouping::words)) == Texts{"ab’a", ",", "b", "?", "."});
    CHECK(texts(units_of(text, tokens, Grouping::spaces)) == Texts{"ab’a,", "b?."});
    CHECK(line_grouping(*tokenizer) == Grouping::spaces);
}

TEST_CASE("every token is in one word, whatever the text") {
    const auto tokenizer = make_bpe_tokenizer({"▁", "a", "b", ".", "(", "▁a"}, true);
    for (const std::string text : {"", ".", "(a", "a.b", "((", "b a b", "ü . ü"}) {
        const std::vector<Token> tokens = tokenizer->encode(text);
        std::size_t next = 0;
        for (const TextUnit& unit : units_of(text, tokens, Grouping::words)) {
            CHECK_FALSE(unit.text.empty());
            for (const std::size_t token : unit.tokens) CHECK(token == next++);
        }
        CHECK(next == tokens.size());
    }
}
