#include "native/say/terminal.hpp"

#include "tests/catch.hpp"

using namespace softalign;

TEST_CASE("the width of a text is that of its columns on a terminal") {
    CHECK(terminal::display_width("chat") == 4);
    CHECK(terminal::display_width("e\u0301te\u0301") == 3);
    CHECK(terminal::display_width("黒い猫") == 6);
    CHECK(terminal::display_width("\xff") == 1);
    CHECK(terminal::cut("黒い猫", 5) == "黒い");
    CHECK(terminal::cut("e\u0301a", 1) == "e\u0301");
    CHECK(terminal::cut("ab", 9) == "ab");
}
