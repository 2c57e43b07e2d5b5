#include "native/data/normalise.hpp"

#include "tests/catch.hpp"

using namespace softalign;

TEST_CASE("text is composed: NFC") {
    CHECK(to_nfc("plain") == "plain");
    CHECK(to_nfc("e\u0301te\u0301") == "été");
    CHECK(to_nfc("\u1112\u1161\u11AB") == "한");
    CHECK(to_nfc("\u212B") == "Å");
    CHECK(to_nfc("ﬁ") == "ﬁ");  // compatibility characters stay
    CHECK(to_nfc(std::string("é\0b", 4)) == std::string("é\0b", 4));
    CHECK(to_nfc("").empty());
}

TEST_CASE("sentences that differ in case, spaces and punctuation alone have the same letters and digits") {
    CHECK(letters_and_digits("Don't go, Élodie!") == letters_and_digits("DON’T GO ÉLODIE"));
    CHECK(letters_and_digits("It costs 30 euros.") != letters_and_digits("It costs 31 euros."));
    CHECK(letters_and_digits("e\u0301te") == letters_and_digits("Éte"));
    CHECK(letters_and_digits("ete") != letters_and_digits("été"));
    CHECK(letters_and_digits("?!") == "?!");
    CHECK(letters_and_digits("...") != letters_and_digits("?!"));
}
