#include <string>
#include <vector>

#include "core/error.hpp"
#include "native/evaluate/alignment_error.hpp"
#include "native/evaluate/bleu.hpp"
#include "native/evaluate/chrf.hpp"
#include "native/evaluate/words.hpp"
#include "tests/catch.hpp"

using namespace softalign;
using namespace softalign::metrics;

namespace {

struct Line {
    std::string hypothesis;
    std::vector<std::string> references;
};

/// What sacreBLEU 2.6.0 says with default signatures.
struct Case {
    const char* name;
    std::vector<Line> lines;
    double bleu;
    double chrf;
};

const std::vector<Case> kCases{
    {"plain sentences",
     {{"Le chat noir dort sur le lit.", {"Le chat noir dort sur le grand lit."}},
      {"Je ne sais pas quoi dire.", {"Je ne sais que dire."}}},
     54.91004867761124,
     68.43603388714563},
    {"numbers, entities and no-break spaces",
     {{"Il a payé 3,5 &quot;euros&quot; le 10-12.", {"Il a payé 3,5 \"euros\" le 10-12."}},
      {"C'est vrai\u00a0!", {"C'est vrai !"}},
      {"U.S.A. : 1.000,50 €", {"USA\u202f: 1.000,50 €"}}},
     68.037493331712,
     70.3767178440895},
    {"lines with one, two and three references",
     {{"Elle m'a donné une pomme rouge hier.",
       {"Hier, elle m'a donné une pomme rouge.", "Elle m'a donné une pomme rouge hier.",
        "Elle me donna hier une pomme rouge."}},
      {"Vous venez ?", {"Tu viens ?"}},
      {"Il est parti hier soir", {"Il est parti.", "Il est parti hier au soir."}}},
     82.42367502646057,
     83.35965004807142},
    {"an order without any match is smoothed",
     {{"le chat dort ici", {"un chat dort là"}}, {"oui", {"non"}}},
     30.213753973567687,
     52.869447850408676},
    {"nothing in common", {{"abc", {"xyz"}}}, 0, 0},
    {"too short for four words", {{"chat", {"chat"}}}, 0, 100},
    {"an empty hypothesis",
     {{"", {"Bonjour."}}, {"Bonjour à tous mes amis.", {"Bonjour à tous mes amis."}}},
     71.65313105737896,
     80.43594563457665},
    {"other scripts",
     {{"黒い猫が寝ている。", {"黒い猫が眠っている。"}},
      {"القط الأسود ينام", {"القط الأسود نائم"}},
      {"😀 e\u0301té", {"😀 été"}}},
     0,
     54.979778298012626},
    {"a word counts as often as a reference has it",
     {{"le le le le le le le", {"le chat est sur le tapis", "il y a un chat sur le tapis"}}},
     7.809849842300637,
     6.590486314111081},
};

}  // namespace

TEST_CASE("BLEU and chrF equal sacreBLEU's defaults") {
    for (const Case& one : kCases) {
        INFO(one.name);
        Bleu bleu;
        Chrf chrf;
        for (const Line& line : one.lines) {
            bleu.add(line.hypothesis, line.references);
            chrf.add(line.hypothesis, line.references);
        }
        CHECK(bleu.score() == Approx(one.bleu).epsilon(1e-12).margin(1e-12));
        CHECK(chrf.score() == Approx(one.chrf).epsilon(1e-12).margin(1e-12));
    }
}

TEST_CASE("the 13a tokenisation equals sacreBLEU's") {
    CHECK(tokenize_13a("Il a payé 3,5 euros, \"hier\".") == "Il a payé 3,5 euros , \" hier \" .");
    CHECK(tokenize_13a("10-12 x-y 5. .5 a,b 1.000.000") == "10 - 12 x-y 5 . . 5 a , b 1.000.000");
    CHECK(tokenize_13a("<skipped>&lt;b&gt; [x]{y}~") == "< b > [ x ] { y } ~");
    CHECK(tokenize_13a("l'eau  \u00a0douce…") == "l'eau douce…");
    CHECK(tokenize_13a("..., --") == ". . . , --");
    CHECK(tokenize_13a("").empty());
}

TEST_CASE("words are split at every space that Unicode has") {
    CHECK(split_words("  a\u00a0b\u2009c\u3000d\te\u0085").size() == 5);
    CHECK(split_words("\u200b").size() == 1);  // a zero-width space is no white space
    CHECK(split_words(" \n").empty());
}

TEST_CASE("links are read and written in Pharaoh notation") {
    CHECK(parse_links("1-2 0-0") == Links{{0, 0}, {1, 2}});
    CHECK(parse_links("").empty());
    CHECK(to_pharaoh({{1, 2}, {0, 10}}) == "0-10 1-2");
    for (const char* wrong : {"1", "1-", "-1", "1-2-3", "a-b", "1:2", "99999999999999999999-1"}) {
        CHECK_THROWS_AS(parse_links(wrong), Error);
    }
}

TEST_CASE("the alignment error rate is that of Och and Ney") {
    const GoldAlignment gold{{"a", "b", "c"}, {"x", "y", "z"}, {{0, 0}, {1, 1}}, {{2, 2}}};
    SECTION("the sure links alone are perfect") {
        AlignmentErrorRate rate;
        rate.add({{0, 0}, {1, 1}}, gold);
        CHECK(rate.rate() == Approx(0));
    }
    SECTION("a possible link costs nothing, a wrong one does") {
        AlignmentErrorRate rate;
        rate.add({{0, 0}, {2, 2}, {2, 0}}, gold);
        CHECK(rate.rate() == Approx(1 - (1.0 + 2.0) / (3.0 + 2.0)));
    }
    SECTION("counts are summed over the sentences") {
        AlignmentErrorRate rate;
        rate.add({{0, 0}, {1, 1}}, gold);
        rate.add({}, gold);
        CHECK(rate.rate() == Approx(1 - (2.0 + 2.0) / (2.0 + 4.0)));
    }
}
