#include "core/text/bpe.hpp"

#include "core/symbols.hpp"
#include "tests/catch.hpp"
#include "tests/text/ids.hpp"

using namespace softalign;

namespace {

std::vector<std::string> texts_of(const std::vector<Token>& tokens) {
    std::vector<std::string> texts;
    for (const Token& token : tokens) texts.push_back(token.text);
    return texts;
}

}  // namespace

TEST_CASE("the earliest piece is merged first, not the longest match") {
    //                                        4     5     6      7    8    9    10
    const auto tokenizer = make_bpe_tokenizer({"bc", "ab", "abc", "▁", "a", "b", "c"}, false);
    // "bc" comes first, after which "ab" is gone, and "abc" is reached as a + bc.
    CHECK(ids_of(tokenizer->encode("abc")) == std::vector<int>{7, 6});
    CHECK(ids_of(tokenizer->encode("abb")) == std::vector<int>{7, 5, 9});
}

TEST_CASE("of equal pairs the leftmost is merged") {
    const auto tokenizer = make_bpe_tokenizer({"aa", "▁", "a"}, false);
    CHECK(ids_of(tokenizer->encode("aaaaa")) == std::vector<int>{5, 4, 4, 6});
}

TEST_CASE("tokens know their place, their text without the mark, and whether they start a word") {
    const auto tokenizer = make_bpe_tokenizer({"▁t", "▁th", "▁the", "▁", "t", "h", "e", "x"}, true);
    const auto tokens = tokenizer->encode("the ex  the");
    CHECK(texts_of(tokens) == std::vector<std::string>{"the", "", "e", "x", "the", "</s>"});
    CHECK(tokens[0].begin == 0);
    CHECK(tokens[0].end == 3);
    CHECK(tokens[1].starts_word);
    CHECK_FALSE(tokens[2].starts_word);
    CHECK(tokens[2].begin == 4);
    CHECK(tokens[4].begin == 8);
    CHECK(tokens[4].end == 11);
    CHECK(tokens[4].starts_word);
    CHECK(tokens[5].special);
    CHECK(tokens[5].begin == 11);
}

TEST_CASE("neighbouring unknown characters are one UNK with the original text") {
    const auto tokenizer = make_bpe_tokenizer({"▁", "a"}, false);
    const auto tokens = tokenizer->encode("a日本a 語");
    CHECK(ids_of(tokens) == std::vector<int>{4, 5, UNK, 5, 4, UNK});
    CHECK(tokens[2].text == "日本");
    CHECK(tokens[2].begin == 1);
    CHECK(tokens[2].end == 7);
    CHECK(tokens[5].text == "語");
}

TEST_CASE("an UNK that runs over a space reads as the text it covers") {
    const auto tokenizer = make_bpe_tokenizer({"a"}, false);  // without the mark as a piece
    const auto tokens = tokenizer->encode("日 本a");
    CHECK(ids_of(tokens) == std::vector<int>{UNK, 4});
    CHECK(tokens[0].text == "日 本");
}

TEST_CASE("text of nothing but spaces has no tokens") {
    const auto tokenizer = make_bpe_tokenizer({"▁", "a"}, false);
    CHECK(tokenizer->encode("").empty());
    CHECK(tokenizer->encode("   ").empty());
    CHECK(ids_of(tokenizer->encode("  a ")) == std::vector<int>{4, 5});
}

TEST_CASE("decoding turns marks into spaces and drops the first") {
    const auto tokenizer = make_bpe_tokenizer({"▁the", "▁c", "at", "▁"}, false);
    const DecodedText decoded = tokenizer->decode({4, 5, 6, 7, UNK, EOS});
    CHECK(decoded.text == "the cat \u2047");
    REQUIRE(decoded.tokens.size() == 6);
    CHECK(decoded.tokens[1].text == "c");
    CHECK(decoded.tokens[1].begin == 4);
    CHECK(decoded.tokens[1].starts_word);
    CHECK_FALSE(decoded.tokens[2].starts_word);
    CHECK(decoded.tokens[3].text.empty());
    CHECK(decoded.tokens[4].begin == 8);
    CHECK(decoded.tokens[5].special);
    CHECK(tokenizer->decode({}).text.empty());
}

TEST_CASE("what was encoded is decoded to itself") {
    const auto tokenizer = make_bpe_tokenizer({"▁a", "ab", "▁ab", "▁", "a", "b"}, false);
    for (const char* text : {"a", "ab a", "b b b", "aab ba"}) {
        CHECK(tokenizer->decode(ids_of(tokenizer->encode(text))).text == text);
    }
}

TEST_CASE("a word of a hundred thousand characters is merged down to the largest pieces") {
    std::vector<std::string> pieces{"▁"};
    for (std::size_t length = 2; length <= 1024; length *= 2) pieces.emplace_back(length, 'a');
    pieces.emplace_back("a");
    const auto tokenizer = make_bpe_tokenizer(pieces, false);
    const auto tokens = tokenizer->encode(std::string(102400, 'a'));
    REQUIRE(tokens.size() == 1 + 100);
    CHECK(tokens.back().end == 102400);
    CHECK(tokens.back().text.size() == 1024);
}
