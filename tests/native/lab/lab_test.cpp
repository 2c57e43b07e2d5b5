#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"
#include "tests/native/toy_models.hpp"

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

namespace {

/// What an experiment prints; it must succeed.
json report_of(const TemporaryFolder& folder, const std::string& arguments) {
    const Outcome outcome = run(folder, "lab " + arguments);
    INFO(arguments << "\n" << outcome.err);
    REQUIRE(outcome.status == 0);
    return json::parse(outcome.out);
}

/// The mean that an experiment gives of all steps against those of its bins.
void check_mean(const json& all, const json& bins, const char* measure) {
    INFO(measure);
    double sum = 0;
    for (const json& bin : bins) {
        if (bin.at("steps") > 0) sum += bin.at("steps").get<double>() * bin.at(measure).at("mean").get<double>();
    }
    CHECK(all.at(measure).at("mean").get<double>() == Approx(sum / all.at("steps").get<double>()).margin(2e-6));
}

const std::string tiny_task = " --letters 3 --longest 4 --hidden 8 --steps 12 --batch 6 --seed 3 --sequences 5";

}  // namespace

TEST_CASE("the length curve judges three models at every length and keeps them as models") {
    const TemporaryFolder folder;
    const json report = report_of(folder, "length-curve --out curve.png --save new/models" + tiny_task);
    CHECK(report.at("lengths") == json({1, 2, 3, 4}));
    for (const char* name : {"none", "additive", "dot"}) {
        const json& model = report.at("models").at(name);
        REQUIRE(model.at("accuracy").size() == 4);
        double least = 1;
        for (std::size_t i = 0; i < 4; ++i) {
            // Of 5 sequences with i + 1 letters.
            const double letters = 5 * static_cast<double>(i + 1) * model.at("accuracy")[i].get<double>();
            const double sequences = 5 * model.at("whole_sequences")[i].get<double>();
            CHECK(letters == Approx(std::round(letters)).margin(1e-4));
            CHECK(sequences == Approx(std::round(sequences)).margin(1e-4));
            CHECK(sequences * static_cast<double>(i + 1) <= letters + 1e-4);
            least = std::min(least, model.at("accuracy")[i].get<double>());
        }
        CHECK(model.at("least_accuracy") == least);
        const Outcome translated =
            run(folder, std::string("translate new/models/reverse-") + name + ".safetensors", "abc\nb\n");
        CHECK(translated.status == 0);
        CHECK(lines_of(translated.out).size() == 2);
    }
    CHECK(folder.read("curve.png").substr(1, 3) == "PNG");
    folder.file("file", "");
    CHECK(run(folder, "lab length-curve --save file").status == 2);
}

TEST_CASE("an experiment that trains gives the same figures again, whatever the threads") {
    const TemporaryFolder folder;
    json once = report_of(folder, "length-curve --json-only --threads 1" + tiny_task);
    json again = report_of(folder, "length-curve --json-only --threads 2" + tiny_task);
    for (const char* name : {"none", "additive", "dot"}) {
        once["models"][name].erase("training_seconds");
        again["models"][name].erase("training_seconds");
    }
    CHECK(once == again);
}

TEST_CASE("credit gives a norm for every source position, before and after training") {
    const TemporaryFolder folder;
    const json report = report_of(folder, "credit" + tiny_task);
    CHECK(report.at("transitions_without_attention") == 7);
    for (const char* name : {"none", "additive"}) {
        for (const char* when : {"before_training", "after_training"}) {
            const json& norms = report.at("models").at(name).at(when);
            CHECK(norms.size() == 4);
            for (const json& norm : norms) CHECK(norm > 0);
        }
    }
    CHECK_THAT(folder.read("credit.svg"), starts_with("<?xml"));
}

TEST_CASE("before training attention carries the gradient to where the plain model loses it") {
    const TemporaryFolder folder;
    const json models =
        report_of(folder, "credit --json-only --longest 30 --hidden 16 --steps 1 --batch 2 --sequences 4").at("models");
    const json& plain = models.at("none").at("before_training");
    CHECK(plain.front() < plain.back());
    CHECK(100 * plain.front().get<double>() < models.at("additive").at("before_training").front().get<double>());
}

TEST_CASE("the wrong axis learns, and only the diagnostic and a search tell") {
    const TemporaryFolder folder;
    const json report = report_of(
        folder, "wrong-axis --letters 4 --longest 4 --hidden 16 --steps 150 --learning-rate 0.02 --sequences 20");
    for (const char* axis : {"over_source", "over_target_steps"}) {
        CHECK(report.at(axis).at("last_training_loss") < report.at(axis).at("first_training_loss"));
    }
    CHECK(report.at("over_source").at("diagnosis").at("sound") == true);
    CHECK(report.at("over_target_steps").at("diagnosis").at("sound") == false);
    CHECK_THAT(folder.read("wrong-axis.svg"), starts_with("<?xml"));
}

TEST_CASE("cost times every model at every length, and its shares are of these times") {
    const TemporaryFolder folder;
    const json report = report_of(folder, "cost --hidden 8 --vocabulary 20 --batch 2 --rounds 1");
    std::vector<int> lengths;
    for (const json& entry : report.at("lengths")) {
        lengths.push_back(entry.at("length"));
        const auto milliseconds = [&](const char* model) { return entry.at("milliseconds").at(model).get<double>(); };
        for (const char* model : {"additive", "dot"}) {
            CHECK(entry.at("times_no_attention").at(model).get<double>() ==
                  Approx(milliseconds(model) / milliseconds("none")).epsilon(1e-3));
        }
        CHECK(entry.at("dot_of_additive").get<double>() ==
              Approx(milliseconds("dot") / milliseconds("additive")).epsilon(1e-3));
    }
    CHECK(lengths == std::vector<int>{10, 20, 40, 80});
}

TEST_CASE("translation quality by length puts every sentence into one bin", "[toy]") {
    const ToyFolder toy;
    const json report = report_of(toy,
                                  "translation-length --model none.safetensors --model dot.safetensors "
                                  "--data valid.tsv --least 5");
    std::size_t sentences = 0;
    for (const json& bin : report.at("bins")) {
        CHECK(bin.at("sentences") >= 5);
        sentences += bin.at("sentences").get<std::size_t>();
    }
    CHECK(sentences == 30);
    REQUIRE(report.at("models").size() == 2);
    CHECK(report.at("models").at(1).at("bleu_by_bin").size() == report.at("bins").size());
    CHECK_THAT(toy.read("translation-length.svg"), starts_with("<?xml"));
}

TEST_CASE("faithfulness measures how far the output moves, for both styles", "[toy]") {
    const ToyFolder toy;
    const json report = report_of(toy,
                                  "faithfulness --model toy.safetensors --model dot.safetensors --data valid.tsv "
                                  "--sentences 4 --permutations 3");
    REQUIRE(report.at("models").size() == 2);
    for (const json& model : report.at("models")) {
        const json& all = model.at("all_steps");
        std::size_t steps = 0;
        for (const json& bin : model.at("by_largest_weight")) steps += bin.at("steps").get<std::size_t>();
        CHECK(all.at("steps") == steps);
        for (const char* measure : {"permuted", "uniform", "without_strongest", "adversarial_divergence"}) {
            check_mean(all, model.at("by_largest_weight"), measure);
        }
        CHECK(all.at("adversarial_divergence").at("mean") <= 0.6932);  // ln 2
    }
    CHECK(run(toy, "lab faithfulness --model none.safetensors --data valid.tsv").status == 2);
}

TEST_CASE("the alignment experiment agrees with softalign align and knows the diagonal", "[toy]") {
    const ToyFolder toy;
    toy.file("gold.tsv", "a b c\tC B A\t0-2 1-1 2-0\t\nd e\tE D\t0-1\t1-0\n");
    const json report = report_of(toy, "align --model toy.safetensors --data gold.tsv");
    // The diagonal finds the one link in the middle: of 3 + 2 links and 4 sure ones, once sure and once possible.
    CHECK(report.at("diagonal").at("all").get<double>() == Approx(1 - 2.0 / 9).margin(1e-6));
    const std::vector<std::string> lines = lines_of(run(toy, "align toy.safetensors gold.tsv --gold gold.tsv").out);
    REQUIRE(lines.size() == 3);
    const double own_row = report.at("models").at(0).at("aer_by_shift").at("0").at("all").get<double>();
    CHECK(std::stod(lines[2].substr(4)) == Approx(own_row).margin(1e-4));
    CHECK(run(toy, "lab align --model none.safetensors --data gold.tsv").status == 2);
    CHECK(run(toy, "lab align --model missing.safetensors --data gold.tsv").status == 1);
}

TEST_CASE("SCAN is trained and judged on every split, gzipped or not") {
    const TemporaryFolder folder;
    std::string data;
    for (const std::string verb : {"run", "walk"}) {
        data += verb + "\tI_" + verb + "\n" + verb + " twice\tI_" + verb + " I_" + verb + "\n";
    }
    for (const char* split : {"simple", "length", "addprim_jump"}) {
        folder.file(std::string(split) + ".train.tsv", data);
        folder.file(std::string(split) + ".test.tsv", data);
    }
    const json report = report_of(folder, "scan --data . --hidden 16 --epochs 60 --learning-rate 0.02 --dropout 0");
    CHECK(report.at("splits").at("simple").at("exact_match_percent") == 100);
    const Outcome missing = run(folder, "lab scan --data nowhere");
    CHECK(missing.status == 1);
    CHECK_THAT(missing.err, contains("simple.train.tsv"));
}
