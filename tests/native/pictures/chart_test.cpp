#include "native/pictures/chart.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"

using namespace softalign;
using softalign::testing::contains;

TEST_CASE("the ticks of an axis are round and enclose what is drawn") {
    CHECK(axis_ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
    CHECK(axis_ticks(1, 40, 9) == std::vector<double>{0, 5, 10, 15, 20, 25, 30, 35, 40});
    CHECK(axis_ticks(-3, 4, 7) == std::vector<double>{-3, -2, -1, 0, 1, 2, 3, 4});
    CHECK(axis_ticks(2, 2, 4).size() >= 2);
}

TEST_CASE("lines and bars become SVG and PNG, numbers that are not finite are left out") {
    Chart chart;
    chart.title = "Cats & <dogs>";
    chart.series = {{"one", {{1, 0.5}, {2, NAN}, {3, 1.5}}, false}, {"two", {{1, 2}, {3, 1}}, true}};
    CHECK_THAT(chart_svg(chart), contains("<title>Cats &amp; &lt;dogs></title>"));
    CHECK_THAT(chart_svg(chart), !contains("nan"));
    CHECK(chart_png(chart).substr(1, 3) == "PNG");
    chart.kind = Chart::Kind::bars;
    chart.categories = {"a", "b", "c", "d"};
    Chart other = chart;
    other.series[0].points[0].second = 1;
    CHECK(chart_svg(chart) != chart_svg(other));
    chart.y_scale = Chart::Scale::logarithmic;
    chart.series[0].points[0].second = 0;  // has no place on a logarithmic axis
    CHECK(chart_png(chart).substr(1, 3) == "PNG");
    chart.series = {{"nothing", {{1, NAN}}, false}};
    CHECK_THROWS_AS(chart_svg(chart), Error);
}
