#include "core/text/tokenizer.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/symbols.hpp"
#include "core/text/chars.hpp"
#include "core/text/words.hpp"
#include "tests/catch.hpp"
#include "tests/text/ids.hpp"

using namespace softalign;

namespace {

std::string refusal(const std::string& json) {
    try {
        tokenizer_from_json(parse_json(json, "tokenizer"));
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

bool mentions(const std::string& message, const std::string& part) {
    return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("chars: every code point is a token, unknown ones keep their text") {
    const auto tokenizer = make_chars_tokenizer({"a", "\u00E9", " "}, false);
    const auto tokens = tokenizer->encode("a\u00E9 \U0001F600a");
    CHECK(ids_of(tokens) == std::vector<int>{4, 5, 6, UNK, 4});
    CHECK(tokens[3].text == "\U0001F600");
    CHECK(tokens[3].begin == 4);
    CHECK(tokens[3].end == 8);
    CHECK(tokens[0].starts_word);
    CHECK_FALSE(tokens[1].starts_word);
    CHECK(tokens[3].starts_word);
    CHECK(tokenizer->vocabulary_size() == 7);
}

TEST_CASE("chars: decoding gives the text and where each token stands in it") {
    const auto tokenizer = make_chars_tokenizer({"a", "\u00E9", " "}, false);
    const DecodedText decoded = tokenizer->decode({BOS, 5, 6, UNK, 4, EOS, PAD});
    CHECK(decoded.text == "\u00E9 \u2047a");
    REQUIRE(decoded.tokens.size() == 7);
    CHECK(decoded.tokens[0].text == "<s>");
    CHECK(decoded.tokens[0].special);
    CHECK(decoded.tokens[5].text == "</s>");
    CHECK(decoded.tokens[5].begin == decoded.text.size());
    CHECK_FALSE(decoded.tokens[3].special);
    for (const Token& token : decoded.tokens) {
        if (!token.special) CHECK(decoded.text.substr(token.begin, token.end - token.begin) == token.text);
    }
}

TEST_CASE("words: what stands between spaces is a token") {
    const auto tokenizer = make_words_tokenizer({"the", "cat"}, false);
    const auto tokens = tokenizer->encode("the caf\u00E9  cat ");
    CHECK(ids_of(tokens) == std::vector<int>{4, UNK, 5});
    CHECK(tokens[1].text == "caf\u00E9");
    CHECK(tokens[2].begin == 11);
    CHECK(tokens[2].end == 14);
    const DecodedText decoded = tokenizer->decode({5, UNK, EOS});
    CHECK(decoded.text == "cat \u2047");
    CHECK(decoded.tokens[1].begin == 4);
    CHECK(decoded.tokens[1].end == decoded.text.size());
}

TEST_CASE("empty text has no tokens, or only EOS where the tokenizer appends it") {
    CHECK(make_words_tokenizer({"a"}, false)->encode("").empty());
    CHECK(make_chars_tokenizer({"a"}, false)->encode("").empty());
    for (bool chars : {false, true}) {
        const auto tokenizer = chars ? make_chars_tokenizer({"a"}, true) : make_words_tokenizer({"a"}, true);
        const auto tokens = tokenizer->encode("a");
        CHECK(ids_of(tokens) == std::vector<int>{4, EOS});
        CHECK(tokens.back().special);
        CHECK(tokens.back().text == "</s>");
        CHECK(tokens.back().begin == 1);
        CHECK(tokens.back().end == 1);
        CHECK(ids_of(tokenizer->encode("")) == std::vector<int>{EOS});
    }
}

TEST_CASE("an id that is not in the vocabulary is refused") {
    for (const char* json : {R"({"kind":"chars","symbols":["a"],"append_eos":false})",
                             R"({"kind":"words","symbols":["a"],"append_eos":false})",
                             R"({"kind":"bpe","pieces":["a"],"append_eos":false})"}) {
        const auto tokenizer = tokenizer_from_json(parse_json(json, "tokenizer"));
        CHECK_THROWS_AS(tokenizer->decode({-1}), UsageError);
        CHECK_THROWS_AS(tokenizer->decode({5}), UsageError);
        CHECK(tokenizer->decode({4}).text == "a");
    }
}

TEST_CASE("a tokenizer is the same after a journey through its JSON") {
    for (const char* json : {R"({"append_eos":true,"kind":"chars","symbols":["a"," ","\"","é"]})",
                             R"({"append_eos":false,"kind":"words","symbols":["a","b\\c","</s>"]})",
                             R"({"append_eos":true,"kind":"bpe","pieces":["▁a","▁","a"]})"}) {
        CHECK(tokenizer_from_json(parse_json(json, "tokenizer"))->to_json().dump() == json);
    }
}

TEST_CASE("JSON that describes no tokenizer is refused with its reason") {
    CHECK(mentions(refusal(""), "JSON"));
    CHECK(mentions(refusal("[]"), "object"));
    CHECK(mentions(refusal("{}"), "\"kind\" is missing"));
    CHECK(mentions(refusal(R"({"kind":"unigram"})"), "kind"));
    CHECK(mentions(refusal(R"({"kind":3})"), "kind"));
    CHECK(mentions(refusal(R"({"kind":"chars","symbols":[]})"), "append_eos"));
    CHECK(mentions(refusal(R"({"kind":"chars","symbols":[],"append_eos":1})"), "append_eos"));
    CHECK(mentions(refusal(R"({"kind":"chars","append_eos":true})"), "symbols"));
    CHECK(mentions(refusal(R"({"kind":"chars","symbols":"abc","append_eos":true})"), "symbols"));
    CHECK(mentions(refusal(R"({"kind":"chars","symbols":["a",1],"append_eos":true})"), "entry 1"));
    CHECK(mentions(refusal(R"({"kind":"chars","symbols":["ab"],"append_eos":true})"), "more than one character"));
    CHECK(mentions(refusal(R"({"kind":"chars","symbols":["a","b","a"],"append_eos":true})"), "\"a\" appears twice"));
    CHECK(mentions(refusal(R"({"kind":"words","symbols":["a",""],"append_eos":true})"), "id 5 is empty"));
    CHECK(mentions(refusal(R"({"kind":"words","symbols":["a b"],"append_eos":true})"), "space"));
    CHECK(mentions(refusal(R"({"kind":"bpe","pieces":["a b"],"append_eos":true})"), "space"));
    CHECK(mentions(refusal(R"({"kind":"bpe","pieces":[],"symbols":[],"append_eos":true})"), "\"symbols\" is unknown"));
    CHECK(mentions(refusal(R"({"kind":"bpe","kind":"bpe","pieces":[],"append_eos":true})"), "appears twice"));
    CHECK(mentions(refusal("{\"kind\":\"words\",\"symbols\":[\"\xFF\"],\"append_eos\":true}"), "JSON"));
    CHECK(mentions(refusal(std::string(100000, '[')), "nested"));
    CHECK_THROWS_AS(make_words_tokenizer({"\xFF"}, false), FormatError);
}
