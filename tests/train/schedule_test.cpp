#include "core/train/schedule.hpp"

#include "tests/catch.hpp"

using namespace softalign;

TEST_CASE("the rate warms up linearly to its peak and falls along a cosine to its floor") {
    ScheduleOptions options;
    options.peak = 1.0F;
    options.warmup_steps = 10;
    options.total_steps = 110;
    options.floor = 0.1F;
    const PlateauState none;
    CHECK(learning_rate(options, 0, none) == Approx(0.1));
    CHECK(learning_rate(options, 9, none) == Approx(1.0));
    CHECK(learning_rate(options, 60, none) == Approx(0.55));
    CHECK(learning_rate(options, 110, none) == Approx(0.1));
    CHECK(learning_rate(options, 100000, none) == Approx(0.1));
}

TEST_CASE("a plateau lowers the rate once for every patience without improvement") {
    ScheduleOptions options;
    options.peak = 1.0F;
    options.warmup_steps = 0;
    options.decay = Decay::plateau;
    options.plateau_patience = 2;
    PlateauState plateau;
    CHECK(observe(options, 3.0, plateau));
    CHECK(observe(options, 2.0, plateau));
    CHECK_FALSE(observe(options, 2.0, plateau));
    CHECK(learning_rate(options, 5, plateau) == 1.0F);
    CHECK_FALSE(observe(options, 2.5, plateau));
    CHECK(learning_rate(options, 5, plateau) == 0.5F);
    CHECK_FALSE(observe(options, 2.5, plateau));
    CHECK_FALSE(observe(options, 2.5, plateau));
    CHECK(learning_rate(options, 5, plateau) == 0.25F);
    CHECK(observe(options, 1.0, plateau));
    CHECK(learning_rate(options, 5, plateau) == 0.25F);
}
