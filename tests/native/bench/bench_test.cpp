#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/format/model_file.hpp"
#include "tests/catch.hpp"
#include "tests/native/command.hpp"

using nlohmann::json;
using namespace softalign::testing;

namespace {

std::vector<json> records(const Outcome& outcome) {
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    std::vector<json> result;
    for (const std::string& line : lines_of(outcome.out)) result.push_back(json::parse(line));
    return result;
}

/// Rounded figures have four digits.
auto about(double value) {
    return Approx(value).epsilon(2e-3);
}

void check_figures(const json& record) {
    const auto figure = [&](const char* key) { return record.at(key).get<double>(); };
    if (record.at("bench") == "product") {
        CHECK(figure("gflops") == about(2 * figure("m") * figure("k") * figure("n") / figure("microseconds") / 1e3));
    } else if (record.at("bench") == "training") {
        // Source and target words.
        CHECK(figure("tokens_per_second") ==
              about(2 * figure("batch") * figure("length") / figure("milliseconds") * 1e3));
    } else if (record.at("bench") == "decoding") {
        const double words = figure("milliseconds_a_sentence") / figure("milliseconds_a_word");
        CHECK(words == about(std::round(words)));
        CHECK(figure("times_reading") == about(figure("milliseconds_a_word") / figure("milliseconds_to_read_them")));
    }
}

}  // namespace

TEST_CASE("bench prints a JSON object a line, whose figures agree with one another") {
    const TemporaryFolder folder;
    std::set<std::string> kinds;
    for (const json& record : records(run(folder, "bench --quick --json --threads 2"))) {
        CAPTURE(record.dump());
        kinds.insert(record.at("bench").get<std::string>());
        if (record.contains("threads")) CHECK(record.at("threads") == 2);
        for (const json& value : record) CHECK_FALSE(value.is_null());  // what is not finite has no JSON
        check_figures(record);
    }
    kinds.erase("memory");  // where the system tells of it
    CHECK(kinds == std::set<std::string>{"machine", "peak", "function", "product", "training", "stage", "decoding",
                                         "throughput"});
}

TEST_CASE("the stages of a training step make up all of it") {
    const TemporaryFolder folder;
    std::map<std::string, double> shares;
    for (const json& record :
         records(run(folder, "bench --quick --json --filter 'training small 12 f32' --threads 1"))) {
        if (record.at("bench") == "stage") shares[record.at("stage")] = record.at("of_step");
    }
    double sum = 0;
    for (const char* stage : {"embedding", "encoder", "attention", "decoder", "output layer"}) {
        CAPTURE(stage);
        CHECK(shares.count(stage) == 1);
        CHECK(shares.count(std::string(stage) + " backward") == 1);
    }
    for (const char* stage : {"optimiser", "laying out", "the rest"}) CHECK(shares.count(stage) == 1);
    CHECK(shares.size() == 13);
    for (const auto& [stage, share] : shares) sum += share;
    CHECK(sum == Approx(1).epsilon(0.01));
}

TEST_CASE("bench measures what the filter names, and without --json prints tables") {
    const TemporaryFolder folder;
    for (const json& record : records(run(folder, "bench --quick --json --filter 'decoding small int8'"))) {
        CAPTURE(record.dump());
        if (record.contains("model")) CHECK(record.at("weights") == "int8");
        CHECK(record.at("bench") != "product");
        CHECK(record.at("bench") != "training");
    }
    const Outcome table = run(folder, "bench --quick --filter 'function tanh'");
    CHECK(table.status == 0);
    CHECK(table.out.find("ns_per_element") != std::string::npos);
    CHECK(run(folder, "bench --threads many").status == 2);
}

TEST_CASE("bench saves the models that it measures, which translate without ever ending early") {
    const TemporaryFolder folder;
    CHECK(lines_of(run(folder, "bench --save new/models").out).size() == 6);
    for (const char* name : {"small", "small-int8", "date"}) {
        const Outcome translated =
            run(folder, std::string("translate new/models/") + name + ".safetensors --max-length 20", "w4 w5 w6\n");
        CHECK(translated.status == 0);
        CHECK(std::count(translated.out.begin(), translated.out.end(), ' ') == 19);
    }
    folder.file("file", "");
    CHECK(run(folder, "bench --save file").status == 2);
}
