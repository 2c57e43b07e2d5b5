#include "core/text/bpe.hpp"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <random>

#include "core/error.hpp"
#include "core/symbols.hpp"
#include "core/text/unicode.hpp"
#include "native/data/bpe_trainer.hpp"
#include "tests/catch.hpp"
#include "tests/text/ids.hpp"

using namespace softalign;

namespace {

std::vector<std::string> training_texts() {
    const std::vector<std::string> words{"the",     "cat",  "sleeps", "sleeping", "on",  "a",       "bed",
                                         "le",      "chat", "dort",   "dormir",   "sur", "été",     "c'est",
                                         "l'arbre", "Noël", "cœur",   "1984",     "42",  "re-read", "?!",
                                         "où",      "aaaa", "abab",   "babab",    "不"};
    std::mt19937 random(7);
    std::vector<std::string> texts;
    for (int line = 0; line < 300; ++line) {
        std::string text;
        for (unsigned word = 0; word < 3 + random() % 6; ++word) {
            text += (text.empty() ? "" : " ") + words[random() % words.size()];
        }
        texts.push_back(text);
    }
    return texts;
}

/// The library and our tokenizer with the same pieces.
struct Both {
    Both() {
        const std::string model = learn_sentencepiece_model(training_texts(), 160);
        REQUIRE(library.LoadFromSerializedProto(model).ok());
        ours = make_bpe_tokenizer(pieces_of_sentencepiece_model(model), false);
    }

    sentencepiece::SentencePieceProcessor library;
    std::unique_ptr<Tokenizer> ours;
};

/// Text of characters that the model knows, characters that it does not, spaces in runs, and the mark itself.
std::string nasty_text(std::mt19937& random) {
    static const std::vector<std::string> parts{
        "a",
        "b",
        "ab",
        "aa",
        "the",
        "sleep",
        "ing",
        "e",
        "t",
        "é",
        "e\u0301",
        "œ",
        " ",
        " ",
        " ",
        "  ",
        "▁",
        "<s>",
        "</s>",
        "日",
        "本",
        "\U0001F600",
        "\U0001F468\u200D\U0001F469",
        "العربية",
        "हिन्दी",
        "\u00A0",
        "\u3000",
        "1",
        "42",
        "'",
        "-",
        "?!",
        "\uFFFD",
        "\u2047",
        "不",
    };
    std::string text;
    const auto count = random() % 30;
    for (std::size_t i = 0; i < count; ++i) text += parts[random() % parts.size()];
    return text;
}

}  // namespace

TEST_CASE("BPE ids are the library's for thousands of nasty texts") {
    const Both both;
    std::mt19937 random(1);
    for (int trial = 0; trial < 20000; ++trial) {
        const std::string text = nasty_text(random);
        INFO("\"" << text << "\"");
        REQUIRE(ids_of(both.ours->encode(text)) == both.library.EncodeAsIds(text));
    }
}

TEST_CASE("BPE ids are the library's for any code points") {
    const Both both;
    std::mt19937 random(2);
    for (int trial = 0; trial < 5000; ++trial) {
        std::string bytes;
        for (unsigned i = 0; i < random() % 40; ++i) bytes += static_cast<char>(random() % 256);
        const std::string text = repair_utf8(bytes);
        INFO("\"" << text << "\"");
        REQUIRE(ids_of(both.ours->encode(text)) == both.library.EncodeAsIds(text));
    }
}

TEST_CASE("BPE ids are the library's for words of a hundred thousand characters") {
    const Both both;
    std::string pattern;
    for (int i = 0; i < 20000; ++i) pattern += "babab";
    for (const std::string& text : {std::string(100000, 'a'), pattern, std::string(100000, '?')}) {
        CHECK(ids_of(both.ours->encode(text)) == both.library.EncodeAsIds(text));
    }
}

TEST_CASE("decoding reads as the library's") {
    const Both both;
    std::mt19937 random(3);
    const auto known = [](const std::vector<int>& ids) {
        return std::find(ids.begin(), ids.end(), UNK) == ids.end();  // which the library sets between spaces
    };
    int compared = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const std::string text =
            prepare_text(nasty_text(random), [](std::string_view composed) { return std::string(composed); });
        const std::vector<int> ids = ids_of(both.ours->encode(text));
        if (!known(ids) || (ids.size() > 1 && both.library.IdToPiece(ids[1]).rfind("▁", 0) == 0)) continue;
        INFO("\"" << text << "\"");
        REQUIRE(both.ours->decode(ids).text == both.library.DecodeIds(ids));
        ++compared;
    }
    CHECK(compared > 100);
}

TEST_CASE("tokens of prepared text are where their offsets say and cover everything but spaces") {
    const Both both;
    std::mt19937 random(4);
    for (int trial = 0; trial < 5000; ++trial) {
        std::string text =
            prepare_text(nasty_text(random), [](std::string_view composed) { return std::string(composed); });
        if (text.find("▁") != std::string::npos) continue;  // reads as a space
        INFO("\"" << text << "\"");
        std::size_t place = 0;
        for (const Token& token : both.ours->encode(text)) {
            REQUIRE(text.substr(token.begin, token.end - token.begin) == token.text);
            if (token.begin > place) REQUIRE(text.substr(place, token.begin - place) == " ");
            REQUIRE(token.begin >= place);
            place = token.end;
        }
        REQUIRE(place == text.size());
    }
}

TEST_CASE("the same texts give the same pieces") {
    CHECK(learn_bpe(training_texts(), 160) == learn_bpe(training_texts(), 160));
    CHECK(learn_bpe(training_texts(), 160).size() == 160 - kSymbols);
}

TEST_CASE("every text is learned from, however long or short its line") {
    std::vector<std::string> texts{std::string(20000, 'x') + "\u00FE", "\u00DF"};
    const auto pieces = learn_bpe(texts, 12);
    CHECK(std::count(pieces.begin(), pieces.end(), "\u00FE") == 1);
    CHECK(std::count(pieces.begin(), pieces.end(), "\u00DF") == 1);
}

TEST_CASE("texts without many pieces give as many as they have") {
    const auto all = learn_bpe(training_texts(), 100000);
    CHECK(all.size() > 160);
    CHECK(all.size() < 100000 - kSymbols);
    CHECK(learn_bpe(training_texts(), kSymbols + all.size()) == all);
}

TEST_CASE("words without end are learned from in parts") {
    std::string letters;
    while (letters.size() < 140'000) letters += "ab";
    const auto pieces = learn_bpe({letters + "\u00E9", "c"}, 12);
    CHECK(std::count(pieces.begin(), pieces.end(), "ab") == 1);
    CHECK(std::count(pieces.begin(), pieces.end(), "\u00E9") == 1);
}

TEST_CASE("a vocabulary that the texts do not fit into is refused with the reason") {
    const auto refusal = [](const std::vector<std::string>& texts, std::size_t size) -> std::string {
        try {
            learn_bpe(texts, size);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    };
    const std::string small = refusal(training_texts(), 10);
    CHECK(small.find("10 symbols are too few") != std::string::npos);
    const std::size_t least = std::stoul(small.substr(small.rfind(' ')));
    CHECK(refusal(training_texts(), least - 1) != "accepted");
    CHECK(refusal(training_texts(), least) == "accepted");
    CHECK(refusal({}, 100).find("no text") != std::string::npos);
    CHECK(refusal({"", ""}, 100).find("no text") != std::string::npos);
}
