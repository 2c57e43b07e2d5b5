#include <set>

#include "native/train/renaming.hpp"
#include "native/train/source_noise.hpp"
#include "tests/catch.hpp"

using namespace softalign;

namespace {

const RandomStream kRandom(7, RandomUse::source_noise, 0);
constexpr std::uint64_t kDraws = 400;

std::set<std::string> all_disturbed(const std::string& text) {
    std::set<std::string> results;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) results.insert(disturb_source(text, kRandom, 4 * draw));
    return results;
}

}  // namespace

TEST_CASE("source noise knows four ways: capitals, small letters, no final punctuation, one typing mistake") {
    const std::set<std::string> results = all_disturbed("Été, ok ?!");
    for (const char* expected : {"ÉTÉ, OK ?!", "été, ok ?!", "Été, ok", "Éé, ok ?!", "Étté, ok ?!", "Éét, ok ?!"}) {
        INFO(expected);
        CHECK(results.count(expected) == 1);
    }
    for (const std::string& result : results) CHECK(result.front() != ' ');
}

TEST_CASE("source noise is a function of its random numbers, and never leaves an empty sentence") {
    CHECK(disturb_source("A small cat.", kRandom, 12) == disturb_source("A small cat.", kRandom, 12));
    for (const std::string text : {"?", "...", "I", "a", "12:30", "日本語", "e\u0301"}) {
        INFO(text);
        for (const std::string& result : all_disturbed(text)) CHECK_FALSE(result.empty());
    }
    CHECK(all_disturbed("?!") == std::set<std::string>{"?!"});
}

TEST_CASE("a name that both sentences have becomes another in both, everywhere") {
    const Renaming renaming({"the garden station is here", "Tom saw nobody"});
    std::set<std::string> names;
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
        std::string source = "Tom, Tommy and Tom's cat.";
        std::string target = "Tom, Tommy et le chat de Tom.";
        REQUIRE(renaming.apply(source, target, kRandom, 16 * draw));
        const std::string name = source.substr(0, source.find(','));
        const std::string second = source.substr(name.size() + 2, source.find(" and") - name.size() - 2);
        CHECK(name != "Tom");
        CHECK(second != "Tommy");
        CHECK(source == name + ", " + second + " and " + name + "'s cat.");
        CHECK(target == name + ", " + second + " et le chat de " + name + ".");
        names.insert(name);
    }
    CHECK(names.size() > 25);
}

TEST_CASE("what is no name keeps its place") {
    const Renaming renaming({"please excuse me now", "Excuse me.", "Mary left"});
    for (const auto& [english, french] : std::vector<std::pair<std::string, std::string>>{
             {"Excuse me.", "Excuse moi."},        // stands elsewhere in small letters
             {"Mary left.", "Marie est partie."},  // not the same in both
             {"USA and UK", "USA et UK"},          // an abbreviation
             {"Al left.", "Al est parti."},        // too short to tell
             {"", ""}}) {
        INFO(english);
        std::string source = english;
        std::string target = french;
        CHECK_FALSE(renaming.apply(source, target, kRandom, 0));
        CHECK(source == english);
        CHECK(target == french);
    }
    std::string source = "Mary left.";
    std::string target = "Mary est partie.";
    CHECK_FALSE(Renaming({"I am"}).apply(source, target, kRandom, 0));  // nothing to make names of
}
