#include "native/data/split.hpp"

#include <map>
#include <set>

#include "core/error.hpp"
#include "native/data/normalise.hpp"
#include "tests/catch.hpp"
#include "tests/native/command.hpp"
#include "tests/native/matchers.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

/// Many sentences, some in several spellings and with several translations, as manythings.org has them.
std::string collected() {
    std::string text;
    for (int i = 0; i < 300; ++i) {
        const std::string number = std::to_string(i);
        const std::string attribution = "\tCC-BY 2.0 (France) Attribution: tatoeba.org #" + number + "\n";
        text += "I have " + number + " cats.\tJ'ai " + number + " chats." + attribution;
        if (i % 3 == 0) text += "I have " + number + " cats.\tJe possède " + number + " chats." + attribution;
        if (i % 5 == 0) text += "I HAVE " + number + " cats!\tJ'ai " + number + " chats !" + attribution;
    }
    return text;
}

const char* kParts = "--train train.tsv --valid valid.tsv --test test.tsv --valid-sentences 40 --test-sentences 30";

/// What a part's lines begin with.
std::vector<std::string> sources_of(const std::string& part) {
    std::vector<std::string> sources;
    for (const std::string& line : lines_of(part)) sources.push_back(line.substr(0, line.find('\t')));
    return sources;
}

}  // namespace

TEST_CASE("no source sentence, and no other spelling of one, is in two parts") {
    const TemporaryFolder folder;
    folder.file("all.tsv", collected());
    const Outcome outcome = run(folder, std::string("split all.tsv ") + kParts);
    REQUIRE(outcome.status == 0);
    std::map<std::string, std::set<std::string>> parts_of;
    for (const char* part : {"train.tsv", "valid.tsv", "test.tsv"}) {
        for (const std::string& source : sources_of(folder.read(part))) {
            parts_of[letters_and_digits(source)].insert(part);
        }
    }
    CHECK(parts_of.size() == 300);
    for (const auto& [sentence, parts] : parts_of) {
        INFO(sentence);
        CHECK(parts.size() == 1);
    }
    CHECK(sources_of(folder.read("valid.tsv")).size() == 40);
    CHECK(sources_of(folder.read("test.tsv")).size() == 30);
}

TEST_CASE("every translation is in one part: a line of its own to learn from, a reference elsewhere") {
    const TemporaryFolder folder;
    const auto text = read_collected(folder.file("all.tsv", collected()));
    const TextParts parts = split(text.pairs, {40, 30}, 1);
    std::size_t translations = 0;
    for (const auto* part : {&parts.training, &parts.validation, &parts.test}) {
        for (const SentencePair& sentence : *part) translations += sentence.targets.size();
    }
    CHECK(translations == 300 + 100 + 60);
    CHECK(text.attributions == translations);

    REQUIRE(run(folder, std::string("split all.tsv ") + kParts).status == 0);
    std::size_t lines = 0;
    for (const SentencePair& sentence : parts.training) lines += sentence.targets.size();
    CHECK(lines_of(folder.read("train.tsv")).size() == lines);
    const std::vector<SentencePair> valid = read_parallel(folder / "valid.tsv");
    REQUIRE(valid.size() == parts.validation.size());
    for (std::size_t i = 0; i < valid.size(); ++i) CHECK(valid[i].targets == parts.validation[i].targets);
}

TEST_CASE("the seed alone decides the parts") {
    const TemporaryFolder folder;
    folder.file("all.tsv", collected());
    const auto valid = [&](const std::string& seed) {
        REQUIRE(run(folder, std::string("split all.tsv ") + kParts + " --seed " + seed).status == 0);
        return folder.read("valid.tsv");
    };
    const std::string first = valid("7");
    CHECK(valid("7") == first);
    CHECK(valid("8") != first);
}

TEST_CASE("lines without a translation are skipped and counted, and what was given twice is there once") {
    const TemporaryFolder folder;
    folder.file("all.tsv", "Go.\tVa.\nGo.\t Va.  \n\nno translation\nRun.\t\tCC-BY 2.0\nRun.\tCours.\tCourez.\n");
    const Outcome outcome = run(folder,
                                "split all.tsv --train a --valid b --test c --valid-sentences 1 "
                                "--test-sentences 0");
    REQUIRE(outcome.status == 0);
    CHECK_THAT(outcome.err, contains("3 lines without source or target skipped, the first is line 3"));
    CHECK_THAT(outcome.err, contains("repeated translations left out: 1"));
    CHECK(lines_of(folder.read("a") + folder.read("b")).size() == (folder.read("b")[0] == 'G' ? 3 : 2));
    CHECK(folder.read("c").empty());
}

TEST_CASE("parts whose names end with .gz are gzipped, and hold the same") {
    const TemporaryFolder folder;
    folder.file("all.tsv", collected());
    REQUIRE(run(folder, std::string("split all.tsv ") + kParts).status == 0);
    REQUIRE(run(folder,
                "split all.tsv --train train.gz --valid valid.gz --test test.gz --valid-sentences 40 "
                "--test-sentences 30")
                .status == 0);
    CHECK(folder.read("train.gz").substr(0, 2) == "\x1f\x8b");
    CHECK(folder.read("train.gz").size() < folder.read("train.tsv").size() / 3);
    CHECK(run(folder, "split train.gz --train a --valid b --test c --valid-sentences 0 --test-sentences 0").status ==
          0);
    CHECK(folder.read("a") == folder.read("train.tsv"));
}

TEST_CASE("what cannot be divided is refused, and no file is there") {
    const TemporaryFolder folder;
    folder.file("all.tsv", collected());
    folder.file("bad.tsv", "a\tb\n\xff\tc\n");
    for (const auto& [arguments, status, reason] : std::vector<std::tuple<std::string, int, std::string>>{
             {"all.tsv --train a --valid b --test c", 2, "at most half"},
             {"all.tsv --train a --valid ./a --test c --test-sentences 3", 2, "'./a' is named twice"},
             {"all.tsv --train a --valid all.tsv --test c --test-sentences 3", 2, "'all.tsv' is named twice"},
             {"bad.tsv --train a --valid b --test c", 1, "bad.tsv:2: invalid UTF-8"},
             {"all.tsv --train a --valid b --test missing/c --valid-sentences 3 --test-sentences 3", 1, "missing/c"},
             {"none.tsv --train a --valid b --test c", 1, "none.tsv"}}) {
        INFO(arguments);
        const Outcome outcome = run(folder, "split " + arguments);
        CHECK(outcome.status == status);
        CHECK_THAT(outcome.err, contains(reason));
        CHECK_FALSE(std::filesystem::exists(folder / "a"));
        CHECK_FALSE(std::filesystem::exists(folder / "b"));
    }
    CHECK(folder.read("all.tsv") == collected());
}
