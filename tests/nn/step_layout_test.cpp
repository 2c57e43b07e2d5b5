#include "core/nn/step_layout.hpp"

#include "tests/catch.hpp"

using softalign::StepLayout;

TEST_CASE("steps hold the sentences that are still running, longest first") {
    const StepLayout layout({2, 4, 1, 4});
    CHECK(layout.order == std::vector<std::size_t>{1, 3, 0, 2});
    CHECK(layout.lengths == std::vector<std::size_t>{4, 4, 2, 1});
    CHECK(layout.first == std::vector<std::size_t>{0, 4, 7, 9, 11});
    CHECK(layout.steps() == 4);
    CHECK(layout.rows() == 11);
    CHECK(layout.active(1) == 3);
}

TEST_CASE("reversed rows stay in their sentence and reversing twice is the identity") {
    const StepLayout layout({3, 1, 2});
    const std::vector<std::size_t> reversed = layout.reversed();
    CHECK(reversed == std::vector<std::size_t>{5, 4, 2, 3, 1, 0});
    for (std::size_t r = 0; r < layout.rows(); ++r) CHECK(reversed[reversed[r]] == r);
}
