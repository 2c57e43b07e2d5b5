#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/native/command.hpp"
#include "tests/native/matchers.hpp"

using nlohmann::json;
using namespace softalign::testing;

namespace {

void check_near(const json& values, const std::vector<double>& expected) {
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(values[i].get<double>() == Approx(expected[i]).margin(5e-4));
}

}  // namespace

TEST_CASE("the worked example gives the numbers of a calculation by hand") {
    const TemporaryFolder folder;
    const json report = json::parse(run(folder, "lab worked-example --json-only").out);
    check_near(report.at("softmax").at("weights"), {0.786, 0.175, 0.039});
    check_near(report.at("softmax").at("exponentials"), {7.389, 1.649, 0.368});
    check_near(report.at("softmax_second_raised").at("weights"), {0.371, 0.611, 0.018});
    const json& additive = report.at("additive");
    check_near(additive.at("sums").at(1), {0.5, 1.5});
    check_near(additive.at("tanh_of_sums").at(2), {0.905, 0.905});
    check_near(additive.at("energies"), {1.367, 1.367, 1.810});
    check_near(additive.at("weights"), {0.281, 0.281, 0.438});
    check_near(additive.at("context"), {0.719, 0.719});
    CHECK(folder.files() == 3);  // the streams of the command alone: no picture
}

TEST_CASE("an experiment draws where --out says, and refuses what it cannot draw before it works") {
    const TemporaryFolder folder;
    CHECK(run(folder, "lab worked-example").status == 0);
    CHECK_THAT(folder.read("worked-example.svg"), starts_with("<?xml"));
    CHECK(run(folder, "lab worked-example --out a.png").status == 0);
    CHECK(folder.read("a.png").substr(1, 3) == "PNG");
    const Outcome gif = run(folder, "lab length-curve --out a.gif");
    CHECK(gif.status == 2);
    CHECK(gif.out.empty());
    CHECK_THAT(gif.err, contains(".svg or .png"));
    CHECK(run(folder, "lab").status == 2);
    CHECK(run(folder, "lab alchemy").status == 2);
}
