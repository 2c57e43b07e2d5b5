#include "native/say/printable.hpp"

#include "tests/catch.hpp"

using namespace softalign;

TEST_CASE("text of any script is printable as it is") {
    for (const char* text :
         {"", "The cat.", "été ﬁ 黒い猫 \u0645\u0631\u062D\u0628\u0627 \U0001F408", "a\u200Db\u00A0c\u200E"}) {
        CHECK(printable(text) == text);
        CHECK(printable_lines(text) == text);
    }
}

TEST_CASE("what a terminal would obey is spelt out") {
    CHECK(printable("a\x1b[2Jb\a\x7f") == "a\\u001b[2Jb\\u0007\\u007f");
    CHECK(printable("\u009b31m") == "\\u009b31m");                 // the same in one character
    CHECK(printable("\u202Eevil\u2066") == "\\u202eevil\\u2066");  // letters in another order
    CHECK(printable(std::string("a\0b", 3)) == "a\\u0000b");
    CHECK(printable("\xff\x9b"
                    "31m") == "\\xff\\x9b31m");
    CHECK(printable("a\tb\r\n") == "a\\u0009b\\u000d\\u000a");
    CHECK(printable_lines("a\tb\r\n") == "a\tb\\u000d\n");
}
