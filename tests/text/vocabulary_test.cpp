#include "core/text/vocabulary.hpp"

#include "core/symbols.hpp"
#include "tests/catch.hpp"
#include "tests/text/ids.hpp"

using namespace softalign;

TEST_CASE("the most frequent entry comes first and equals come in the order of their bytes") {
    const auto tokenizer = build_words_tokenizer({"b a c", "c a", "c"}, {});
    CHECK(ids_of(tokenizer->encode("c a b")) == std::vector<int>{4, 5, 6});
    const auto chars = build_chars_tokenizer({"ba", "é"}, {});
    CHECK(ids_of(chars->encode("abé")) == std::vector<int>{4, 5, 6});
}

TEST_CASE("what is rarer than the minimum count is unknown") {
    VocabularyOptions options;
    options.minimum_count = 2;
    const auto tokenizer = build_words_tokenizer({"a a b"}, options);
    CHECK(ids_of(tokenizer->encode("a b")) == std::vector<int>{4, UNK});
}

TEST_CASE("the limit counts the symbols that every vocabulary starts with") {
    VocabularyOptions options;
    options.limit = 6;
    CHECK(build_chars_tokenizer({"abc"}, options)->vocabulary_size() == 6);
    options.limit = 2;
    CHECK(build_chars_tokenizer({"abc"}, options)->vocabulary_size() == 4);
}

TEST_CASE("a counted vocabulary appends EOS where it is asked to") {
    VocabularyOptions options;
    options.append_eos = true;
    CHECK(ids_of(build_words_tokenizer({"a"}, options)->encode("a")) == std::vector<int>{4, EOS});
    CHECK(ids_of(build_chars_tokenizer({"a"}, options)->encode("a")) == std::vector<int>{4, EOS});
}
