#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"
#include "tests/native/toy_models.hpp"

using nlohmann::json;
using namespace softalign::testing;

namespace {

constexpr const char* kTrain = "train train.tsv --valid valid.tsv --config toy.json ";

std::vector<json> log_of(const TemporaryFolder& folder, const char* name) {
    std::vector<json> entries;
    for (const std::string& line : lines_of(folder.read(name))) entries.push_back(json::parse(line));
    return entries;
}

}  // namespace

TEST_CASE("a run and one that was interrupted and resumed give the same bytes, on any number of threads") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    REQUIRE(run(folder, std::string(kTrain) + "--out whole.safetensors --steps 20 --threads 1").status == 0);
    REQUIRE(run(folder, std::string(kTrain) + "--out threads.safetensors --steps 20 --threads 2").status == 0);
    REQUIRE(run(folder, std::string(kTrain) + "--out parts.safetensors --steps 10 --threads 2").status == 0);
    CHECK(folder.read("parts.last.safetensors") != folder.read("whole.last.safetensors"));
    REQUIRE(run(folder, std::string(kTrain) + "--out parts.safetensors --steps 20 --threads 1 --resume").status == 0);

    for (const char* last : {"threads", "parts"}) {
        INFO(last);
        const std::string name = last;
        CHECK(folder.read(name + ".last.safetensors") == folder.read("whole.last.safetensors"));
        CHECK(folder.read(name + ".safetensors") == folder.read("whole.safetensors"));
    }
    CHECK_FALSE(folder.read("whole.safetensors").empty());
}

TEST_CASE("resuming across epochs and validations gives the same bytes, for every decay") {
    for (const std::string decay : {"cosine", "plateau", "constant"}) {
        INFO(decay);
        const TemporaryFolder folder;
        prepare_toy(folder);
        const std::string options = std::string(kTrain) + "--source-noise 0.5 --validate-every 7 --decay " + decay;
        REQUIRE(run(folder, options + " --out whole.safetensors").status == 0);
        REQUIRE(run(folder, options + " --out parts.safetensors --steps 16").status == 0);
        REQUIRE(run(folder, options + " --out parts.safetensors --steps 0 --resume").status == 0);
        CHECK(folder.read("parts.last.safetensors") == folder.read("whole.last.safetensors"));
    }
}

TEST_CASE("a run that is stopped or killed at any moment can be resumed, and ends with the same bytes") {
    for (const std::string signal : {"INT", "TERM", "HUP", "KILL"}) {
        INFO(signal);
        const TemporaryFolder folder;
        prepare_toy(folder);
        const std::string options = std::string(kTrain) +
                                    "--steps 300 --epochs 20 --validate-every 20 --validation-sentences 2 "
                                    "--decay constant --out ";
        REQUIRE(run(folder, options + "whole.safetensors").status == 0);
        // The log's first lines are written long before the end. Should the run end first all the same, nothing is
        // lost.
        const Outcome stopped = run(folder, options +
                                                "parts.safetensors & pid=$!; "
                                                "until [ -e parts.last.safetensors ]; do sleep 0.01; done; "
                                                "kill -" +
                                                signal + " $pid; wait $pid; echo $?");
        if (signal != "KILL" && stopped.out == "1\n") CHECK_THAT(stopped.err, contains("interrupted"));
        REQUIRE(run(folder, options + "parts.safetensors --resume").status == 0);
        CHECK(folder.read("parts.last.safetensors") == folder.read("whole.last.safetensors"));
    }
}

TEST_CASE("training learns: the validation loss falls and the log says so") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    const Outcome outcome = run(folder, std::string(kTrain) + "--out toy.safetensors --epochs 6");
    CHECK(outcome.status == 0);
    CHECK(outcome.out == "toy.safetensors\n");
    std::vector<double> losses;
    for (const json& entry : log_of(folder, "toy.log.jsonl")) {
        if (entry.at("event") == "validation") losses.push_back(entry.at("loss"));
    }
    REQUIRE(losses.size() == 6);
    CHECK(losses.back() < losses.front() - 0.3);
    const json description = json::parse(run(folder, "inspect toy.safetensors --json").out);
    CHECK(description.at("card").at("task") == "toy");
    CHECK_FALSE(description.at("checkpoint"));
    CHECK(json::parse(run(folder, "inspect toy.last.safetensors --json").out).at("checkpoint"));
}

TEST_CASE("training stops when nothing improves any more") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    const Outcome outcome = run(folder, std::string(kTrain) +
                                            "--out toy.safetensors --epochs 100 --patience 2 --decay constant "
                                            "--learning-rate 0.000000001 --validate-every 1 --average-decay 0");
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.err, contains("no improvement"));
}

TEST_CASE("every style and score can be trained") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    for (const char* options :
         {"--style none", "--style luong --score general --input-feeding",
          "--score concat --layers 2 --layer-dropout 0.1", "--score dot --dec-hidden 24",
          "--score scaled_dot --dec-hidden 24 --no-bridge --no-tied --readout 0",
          "--no-bidirectional --append-eos --joint --source-tokenizer chars --target-tokenizer chars"}) {
        INFO(options);
        const Outcome outcome =
            run(folder, std::string(kTrain) + "--overwrite --out toy.safetensors --steps 3 " + options);
        INFO(outcome.err);
        CHECK(outcome.status == 0);
        CHECK(run(folder, "translate toy.safetensors", "a b c\n").status == 0);
    }
}

TEST_CASE("an earlier run is not overwritten unless that is asked for") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    REQUIRE(run(folder, std::string(kTrain) + "--out toy.safetensors --steps 2").status == 0);
    const std::string before = folder.read("toy.last.safetensors");
    const Outcome refused = run(folder, std::string(kTrain) + "--out toy.safetensors --steps 2");
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, contains("--resume") && contains("--overwrite"));
    CHECK(folder.read("toy.last.safetensors") == before);
    CHECK(run(folder, std::string(kTrain) + "--out toy.safetensors --steps 3 --overwrite").status == 0);
}

TEST_CASE("a run is resumed only with what it began with") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    const std::string resume = std::string(kTrain) + "--out toy.safetensors --resume ";
    const Outcome nothing = run(folder, resume);
    CHECK(nothing.status == 1);
    CHECK_THAT(nothing.err, contains("toy.last.safetensors"));

    REQUIRE(run(folder, std::string(kTrain) + "--out toy.safetensors --steps 2").status == 0);
    const Outcome other_model = run(folder, resume + "--embed 13");
    CHECK(other_model.status == 2);
    CHECK_THAT(other_model.err, contains("model.embed"));
    // Another order of batches, or another meaning of the best value so far.
    for (const char* other : {"batch_words 1000", "batch_words 10", "seed 2", "criterion bleu"}) {
        const std::string key = std::string(other).substr(0, std::string(other).find(' '));
        std::string flag = "--" + std::string(other);
        std::replace(flag.begin(), flag.end(), '_', '-');
        const Outcome outcome = run(folder, resume + flag);
        CAPTURE(other, outcome.err);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, contains("training." + key));
    }
    const std::string validation = toy_data(2, 30);
    for (const std::string& other :
         {toy_data(3, 30), validation.substr(0, validation.size() - 1) + "\tA further one\n"}) {
        folder.file("valid.tsv", other);
        const Outcome outcome = run(folder, resume);
        CHECK(outcome.status == 1);
        CHECK_THAT(outcome.err, contains("validation data"));
    }
    folder.file("valid.tsv", validation);
    folder.file("train.tsv", toy_data(3, 300));
    const Outcome other_data = run(folder, resume);
    CHECK(other_data.status == 1);
    CHECK_THAT(other_data.err, contains("training data"));

    folder.file("toy.last.safetensors", folder.read("toy.safetensors"));
    const Outcome no_checkpoint = run(folder, resume);
    CHECK(no_checkpoint.status == 1);
    CHECK_THAT(no_checkpoint.err, contains("not a checkpoint"));
}

TEST_CASE("a bad line of the training data is named with file, line and reason") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    folder.file("train.tsv", "a\tA\nb\tB\nno target\n");
    const Outcome outcome = run(folder, std::string(kTrain) + "--out toy.safetensors");
    CHECK(outcome.status == 1);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, contains("train.tsv:3: missing column"));
}

TEST_CASE("a model never takes the place of a file that has another name's ending, or of a folder") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    const Outcome slip = run(folder, std::string(kTrain) + "--out train.tsv");
    CHECK(slip.status == 2);
    CHECK_THAT(slip.err, contains("NAME.safetensors") && contains("'train.tsv'"));
    CHECK(folder.read("train.tsv") == toy_data(1, 300));

    REQUIRE(run(folder, "--version; mkdir toy.safetensors").status == 0);
    const Outcome occupied = run(folder, std::string(kTrain) + "--out toy.safetensors");
    CHECK(occupied.status == 1);
    CHECK_THAT(occupied.err, contains("folder"));
}

TEST_CASE("a flag's impossible value is wrong usage, and named") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    for (const auto& [wrong, name] :
         std::vector<std::pair<std::string, std::string>>{{"--epochs -1", "--epochs"},
                                                          {"--seed -1", "--seed"},
                                                          {"--batch-words 0", "--batch-words"},
                                                          {"--learning-rate nan", "--learning-rate"},
                                                          {"--learning-rate 0", "--learning-rate"},
                                                          {"--decay never", "training.decay"},
                                                          {"--output-dropout 1", "--output-dropout"},
                                                          {"--teacher-forcing 2", "--teacher-forcing"},
                                                          {"--layers 0", "--layers"},
                                                          {"--plateau-factor 1.5", "--plateau-factor"},
                                                          {"--steps 18446744073709551615", "--steps"},
                                                          {"--minutes -1", "--minutes"}}) {
        INFO(wrong);
        const Outcome outcome = run(folder, std::string(kTrain) + "--out toy.safetensors " + wrong);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, contains(name));
    }
}

TEST_CASE("a bad key of the recipe is named with its file") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    folder.file("toy.json", R"({"training": {"epoch": 3}})");
    const Outcome outcome = run(folder, std::string(kTrain) + "--out toy.safetensors");
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.err, contains("toy.json") && contains("training.epoch"));
}

TEST_CASE("two runs do not write the same model") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    const std::string options = std::string(kTrain) + "--epochs 100000 --validate-every 5 --out toy.safetensors";
    // The second run comes when the first has written; the first then ends in good order.
    const Outcome both =
        run(folder, options + " & first=$!; until [ -e toy.last.safetensors ]; do sleep 0.01; done; '" +
                        SOFTALIGN_COMMAND "' " + options +
                        " --resume 2>second; echo $?; kill -INT $first; wait $first; echo $?");
    CHECK(both.out == "1\n1\n");
    CHECK_THAT(folder.read("second"), contains("another run") && contains("toy.last.safetensors"));
    CHECK_THAT(both.err, contains("interrupted"));
    CHECK(run(folder, "inspect toy.last.safetensors").status == 0);
    CHECK(run(folder, std::string(kTrain) + "--out toy.safetensors --resume --epochs 1").status == 0);
    CHECK(run(folder, "--version; ls *.lock").out.find(".lock") == std::string::npos);
}

TEST_CASE("training that diverges says so once, fails, and keeps what was good") {
    for (const char* rate : {"100", "1e30", "3.4e38"}) {
        CAPTURE(rate);
        const TemporaryFolder folder;
        prepare_toy(folder);
        REQUIRE(run(folder, std::string(kTrain) + "--out toy.safetensors --epochs 1").status == 0);
        const std::string best = folder.read("toy.safetensors");
        const std::string last = folder.read("toy.last.safetensors");
        const auto steps = log_of(folder, "toy.log.jsonl").back().at("step").get<int>();
        const std::string absurd = std::string(" --warmup-steps 0 --clip-norm 0 --learning-rate ") + rate;
        const Outcome resumed =
            run(folder, std::string(kTrain) + "--out toy.safetensors --resume --epochs 20 --decay constant" + absurd);
        CAPTURE(resumed.err);
        CHECK(resumed.status == 1);
        CHECK(resumed.out.empty());
        CHECK_THAT(resumed.err, contains("training diverged") && contains("lower --learning-rate") &&
                                    contains("'toy.last.safetensors' is from before") &&
                                    contains("'toy.safetensors' is the best"));
        CHECK(folder.read("toy.safetensors") == best);
        CHECK(folder.read("toy.last.safetensors") == last);

        // Even where the run's end comes first.
        const Outcome ended = run(folder, std::string(kTrain) + "--out toy.safetensors --resume --epochs 20 --steps " +
                                              std::to_string(steps + 3) + " --decay constant" + absurd);
        CHECK(ended.status == 1);
        CHECK_THAT(ended.err, contains("training diverged"));
        CHECK(folder.read("toy.last.safetensors") == last);

        // However long it is until the next validation.
        const Outcome unwatched = run(folder, std::string(kTrain) + "--out unwatched.safetensors --epochs 1000 " +
                                                  "--validate-every 1000000 --decay constant" + absurd);
        CHECK(unwatched.status == 1);
        CHECK_THAT(unwatched.err, contains("training diverged: 20 batches in a row"));

        // However few steps there are.
        const Outcome first = run(folder, std::string(kTrain) + "--out new.safetensors --steps 1" + absurd);
        CAPTURE(first.err);
        CHECK(first.status == 1);
        CHECK_THAT(first.err, contains("training diverged") && !contains("is from before"));
    }
}

TEST_CASE("a beginner's small data trains with the default vocabulary, as large as the text allows") {
    const TemporaryFolder folder;
    folder.file("one.tsv", "Hello.\tBonjour.\n");
    const Outcome outcome =
        run(folder,
            "train one.tsv --valid one.tsv --out one.safetensors --epochs 1 --embed 8 --enc-hidden 8 "
            "--dec-hidden 8 --attn 8 --readout 8");
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.err, contains("--source-size 6000") && contains("--target-size 6000"));
}

TEST_CASE("a vocabulary that cannot be made is explained for both sides at once") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    const Outcome pieces = run(folder, std::string(kTrain) +
                                           "--out toy.safetensors --source-tokenizer bpe "
                                           "--target-tokenizer bpe --source-size 6 --target-size 7");
    CHECK(pieces.status == 2);
    CHECK_THAT(pieces.err,
               contains("source (--source-size): 6 symbols") && contains("target (--target-size): 7 symbols"));
    const Outcome words = run(folder, std::string(kTrain) + "--out toy.safetensors --minimum-count 100000");
    CHECK(words.status == 2);
    CHECK_THAT(words.err, contains("source (") && contains("target (") && contains("100000 times"));
}

TEST_CASE("text without spaces is learned from, and left out where it is too long to translate") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    std::string letters;
    while (letters.size() < 70'000) letters += "ab";
    folder.file("dna.tsv", letters + "\tb\nc\td\n");
    folder.file("valid.tsv", "c\td\n");
    const Outcome outcome = run(folder,
                                "train dna.tsv --valid valid.tsv --out dna.safetensors --epochs 1 --embed 8 "
                                "--enc-hidden 8 --dec-hidden 8 --attn 8 --readout 8 --source-size 9 "
                                "--target-size 7 --longest 50");
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.err, contains("1 of 2 pairs left out"));
}
