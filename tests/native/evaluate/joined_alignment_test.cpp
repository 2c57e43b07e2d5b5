#include "native/evaluate/joined_alignment.hpp"

#include "tests/catch.hpp"

using namespace softalign;

TEST_CASE("a joined alignment sums over source pieces and averages over target pieces") {
    const std::vector<TextUnit> source{{"ab", {0, 1}, false}, {"c", {2}, false}};
    const std::vector<TextUnit> target{{"x", {0}, false}, {"yz", {1, 2}, false}};
    const Matrix alignment{{0.5F, 0.25F, 0.25F}, {0.125F, 0.125F, 0.75F}, {0.0F, 0.75F, 0.25F}};
    const Matrix joined = join_alignment(source, target, alignment);
    CHECK(joined(0, 0) == Approx(0.75));
    CHECK(joined(0, 1) == Approx(0.25));
    CHECK(joined(1, 0) == Approx(0.5));
    CHECK(joined(1, 1) == Approx(0.5));
}

TEST_CASE("the strongest link of a target word is none where it reads from the end of the sentence") {
    const std::vector<TextUnit> source{{"a", {0}, false}, {"</s>", {1}, true}};
    const std::vector<TextUnit> target{{"x", {0}, false}, {"y", {1}, false}, {"</s>", {2}, true}};
    const Matrix alignment{{0.9F, 0.1F}, {0.2F, 0.8F}, {1.0F, 0.0F}};
    CHECK(strongest_links(source, target, alignment) == metrics::Links{{0, 0}});
}
