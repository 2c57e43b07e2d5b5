#include "core/text/unicode.hpp"

#include "tests/catch.hpp"

using namespace softalign;

namespace {

const std::string kReplaced = "\xEF\xBF\xBD";

std::string prepare(std::string_view text) {
    return prepare_text(text, [](std::string_view valid) { return std::string(valid); });
}

}  // namespace

TEST_CASE("well-formed text of every length of sequence is left alone") {
    const std::string text = "a\u00E9\u20AC\U0001F600b\U0010FFFF\uD7FF\uE000";
    CHECK(is_valid_utf8(text));
    CHECK(repair_utf8(text) == text);
}

TEST_CASE("each maximal subpart of an ill-formed sequence becomes one U+FFFD") {
    // The examples of the Unicode Standard 15, tables 3-8 to 3-11.
    CHECK(repair_utf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41") ==
          kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + "A");
    CHECK(repair_utf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41") ==
          kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + "A");
    CHECK(repair_utf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42") ==
          kReplaced + kReplaced + kReplaced + kReplaced + kReplaced + "A" + kReplaced + kReplaced + "B");
    CHECK(repair_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41") == kReplaced + kReplaced + kReplaced + kReplaced + "A");
}

TEST_CASE("a sequence cut at the end of the text is one U+FFFD") {
    CHECK(repair_utf8("a\xF0\x9F\x98") == "a" + kReplaced);
    CHECK(repair_utf8("\xE2\x82") == kReplaced);
    CHECK(repair_utf8("\xC3") == kReplaced);
}

TEST_CASE("overlong forms, surrogates and values above U+10FFFF are not valid") {
    for (const char* text : {"\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80", "\x80", "\xFE", "\xFF"}) {
        CHECK_FALSE(is_valid_utf8(text));
    }
}

TEST_CASE("whatever two bytes follow a lead byte, the repaired text is valid") {
    for (int lead : {0x00, 0x41, 0x80, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xFF}) {
        for (int second = 0; second < 256; ++second) {
            for (int third = 0; third < 256; third += 5) {
                const std::string text{static_cast<char>(lead), static_cast<char>(second), static_cast<char>(third)};
                const std::string repaired = repair_utf8(text);
                REQUIRE(is_valid_utf8(repaired));
                REQUIRE((repaired == text) == is_valid_utf8(text));
            }
        }
    }
}

TEST_CASE("control characters become spaces and runs of spaces become one") {
    CHECK(prepare(std::string_view("a\0b", 3)) == "a b");
    CHECK(prepare("  a\t\r\n b\x7F\x1F  c \n") == "a b c");
    CHECK(prepare("a\u0085b\u2028c\u2029d") == "a b c d");
    CHECK(prepare(" \t\n ").empty());
    CHECK(prepare("").empty());
    CHECK(prepare("a\u00A0b") == "a\u00A0b");
}

TEST_CASE("text is repaired before it is normalised") {
    std::string seen;
    prepare_text("\xFF", [&](std::string_view text) {
        seen = text;
        return std::string("composed");
    });
    CHECK(seen == kReplaced);
    CHECK(prepare_text("x", [](std::string_view) { return std::string("composed"); }) == "composed");
}
