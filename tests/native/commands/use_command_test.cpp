#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"
#include "tests/native/toy_models.hpp"

using nlohmann::json;
using namespace softalign::testing;

namespace {

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
}

}  // namespace

TEST_CASE("the number of output lines is the number of input lines, whatever is in them", "[toy]") {
    const ToyFolder toy;
    const std::string nasty = "a b c\n\n   \n" + repeated("a b ", 500) + "\n\xff\xfe\xed\xa0\x80 a\n" +
                              std::string("a\0b\n", 4) +
                              "😀 👩‍👩‍👧 مرحبا بالعالم\n\u202e abc\na\tb\r\nlast";
    for (const char* options :
         {"", "--beam 3", "--alignment pharaoh", "--alignment json", "--threads 2 --max-length 7"}) {
        INFO(options);
        const Outcome outcome = run(toy, std::string("translate toy.safetensors ") + options, nasty);
        CHECK(outcome.status == 0);
        CHECK(lines_of(outcome.out).size() == 10);
    }
    CHECK(lines_of(run(toy, "translate toy.safetensors", nasty).out)[1].empty());
    CHECK(lines_of(run(toy, "translate toy.safetensors", nasty).out)[2].empty());
    CHECK(run(toy, "translate toy.safetensors", "").out.empty());
    CHECK(run(toy, "translate toy.safetensors", "\n\n").out == "\n\n");
}

TEST_CASE("a line's translation does not depend on its neighbours or on the threads", "[toy]") {
    const ToyFolder toy;
    std::string input;
    for (const std::string& line : lines_of(toy_data(5, 600))) input += line.substr(0, line.find('\t')) + "\n";
    const std::string all = run(toy, "translate toy.safetensors --beam 2", input).out;
    CHECK(run(toy, "translate toy.safetensors --beam 2 --threads 1", input).out == all);
    const std::vector<std::string> sources = lines_of(input);
    for (const std::size_t i : {std::size_t{0}, std::size_t{300}, std::size_t{599}}) {
        CHECK(run(toy, "translate toy.safetensors --beam 2", sources[i] + "\n").out == lines_of(all)[i] + "\n");
    }
}

TEST_CASE("n-best lists name the line, the translation and a falling score", "[toy]") {
    const ToyFolder toy;
    const Outcome outcome = run(toy, "translate toy.safetensors --beam 4 --nbest 3", "a b\n\nc d e\n");
    CHECK(outcome.status == 0);
    const std::vector<std::string> lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 7);
    CHECK_THAT(lines[0], starts_with("0 ||| "));
    CHECK_THAT(lines[3], starts_with("1 |||  ||| 0"));
    CHECK_THAT(lines[6], starts_with("2 ||| "));
    const auto score = [](const std::string& line) { return std::stod(line.substr(line.rfind("||| ") + 4)); };
    CHECK(score(lines[0]) >= score(lines[1]));
    CHECK(score(lines[1]) >= score(lines[2]));
}

TEST_CASE("the alignment as JSON has a row that sums to one for every target token", "[toy]") {
    const ToyFolder toy;
    const json line = json::parse(run(toy, "translate toy.safetensors --alignment json", "a b c d\n").out);
    CHECK(line.at("source").size() == 4);
    REQUIRE(line.at("alignment").size() == line.at("target").size());
    for (const json& weights : line.at("alignment")) {
        REQUIRE(weights.size() == 4);
        double sum = 0;
        for (const json& weight : weights) sum += weight.get<double>();
        CHECK(sum == Approx(1).margin(1e-5));
    }
    const json token = line.at("source").at(1);
    CHECK(line.at("input").get<std::string>().substr(token.at("begin"), 1) == token.at("text"));
}

TEST_CASE("evaluate says how good a model is, against one and against all references", "[toy]") {
    const ToyFolder toy;
    const json one = json::parse(run(toy, "evaluate toy.safetensors valid.tsv --beam 2").out);
    CHECK(one.at("sentences") == 30);
    CHECK(one.at("perplexity").get<double>() == Approx(std::exp(one.at("loss").get<double>())));
    CHECK(one.at("token_accuracy") > 0.3);
    CHECK(one.at("bleu") > 1);
    CHECK(one.at("chrf") > 1);
    CHECK_FALSE(one.contains("bleu_all_references"));

    // What the model says itself as the reference that is right, after one that is wrong.
    std::string sources;
    for (const std::string& line : lines_of(toy.read("valid.tsv"))) sources += line.substr(0, line.find('\t')) + "\n";
    const std::vector<std::string> source = lines_of(sources);
    const std::vector<std::string> said = lines_of(run(toy, "translate toy.safetensors --beam 2", sources).out);
    REQUIRE(said.size() == 30);
    int exact = 0;
    std::string references;
    for (std::size_t i = 0; i < said.size(); ++i) {
        exact += source[i] + "\t" + said[i] == lines_of(toy.read("valid.tsv"))[i];
        references += source[i] + "\tF A F A F\t" + said[i] + "\n";
    }
    CHECK(one.at("exact_match").get<double>() == Approx(exact / 30.0));
    toy.file("refs.tsv", references);
    const json all = json::parse(run(toy, "evaluate toy.safetensors refs.tsv --beam 2").out);
    CHECK(all.at("bleu_all_references").get<double>() == Approx(100));
    CHECK(all.at("bleu") < 50);
    CHECK(json::parse(run(toy, "evaluate toy.safetensors valid.tsv --limit 3").out).at("sentences") == 3);
}

TEST_CASE("align links every target word, and the error rate needs the same words", "[toy]") {
    const ToyFolder toy;
    toy.file("pairs.tsv", "a b c\tC B A\nd\tD\n");
    toy.file("gold.tsv", "a b c\tC B A\t0-2 1-1 2-0\t\nd\tD\t0-0\t\n");
    const std::vector<std::string> lines = lines_of(run(toy, "align toy.safetensors pairs.tsv").out);
    REQUIRE(lines.size() == 2);
    CHECK(std::count(lines[0].begin(), lines[0].end(), '-') == 3);
    CHECK(lines[1] == "0-0");

    const std::vector<std::string> with_gold =
        lines_of(run(toy, "align toy.safetensors pairs.tsv --gold gold.tsv").out);
    REQUIRE(with_gold.size() == 3);
    CHECK_THAT(with_gold[2], starts_with("AER 0."));
    toy.file("gold.tsv", "a b\tC B A\t0-2 1-1\t\nd\tD\t0-0\t\n");
    const Outcome mismatch = run(toy, "align toy.safetensors pairs.tsv --gold gold.tsv");
    CHECK(mismatch.status == 1);
    CHECK_THAT(mismatch.err, contains("pairs.tsv:1:"));
    toy.file("gold.tsv", "a b c\tC B A\t0-3\t\nd\tD\t0-0\t\n");
    CHECK_THAT(run(toy, "align toy.safetensors pairs.tsv --gold gold.tsv").err, contains("gold.tsv:1:"));
}

TEST_CASE("attention draws into the terminal, SVG, PNG and text", "[toy]") {
    const ToyFolder toy;
    const Outcome terminal = run(toy, "attention toy.safetensors 'a b c'");
    CHECK(terminal.status == 0);
    CHECK_THAT(terminal.out, contains("weight: ") && contains("</s>"));
    CHECK(run(toy, "attention toy.safetensors 'a b c' --out a.svg").out == "a.svg\n");
    CHECK_THAT(toy.read("a.svg"), starts_with("<?xml"));
    CHECK(run(toy, "attention toy.safetensors 'a b c' --out a.png").status == 0);
    CHECK(toy.read("a.png").substr(1, 3) == "PNG");
    CHECK(run(toy, "attention toy.safetensors 'a b c' --out a.txt").status == 0);
    CHECK(toy.read("a.txt") == terminal.out);
    CHECK(run(toy, "attention toy.safetensors 'a b c' --out a.gif").status == 2);
    CHECK(run(toy, "attention toy.safetensors ''").status == 2);
}

TEST_CASE("a quantized model is smaller and still a model", "[toy]") {
    const ToyFolder toy;
    CHECK(run(toy, "quantize toy.safetensors --out small.safetensors").status == 0);
    CHECK(run(toy, "quantize toy.safetensors --storage f16 --out half.safetensors").status == 0);
    CHECK(toy.read("small.safetensors").size() < toy.read("half.safetensors").size());
    CHECK(toy.read("half.safetensors").size() < toy.read("toy.safetensors").size());
    CHECK_THAT(run(toy, "inspect small.safetensors").out, contains("I8") && contains("decoder.embed.weight.scale"));
    CHECK(run(toy, "translate small.safetensors", "a b\n").status == 0);
}

TEST_CASE("what was measured of a model can be told in its file", "[toy]") {
    const ToyFolder toy;
    toy.file("measured.json", R"({"card": {"task": "toy", "figures": "all right"}})");
    CHECK(run(toy, "quantize toy.safetensors --out told.safetensors --card measured.json").status == 0);
    CHECK_THAT(run(toy, "inspect told.safetensors").out, contains("all right"));
    for (const char* wrong : {"{}", "[]", R"({"card": "all right"})"}) {
        INFO(wrong);
        toy.file("wrong.json", wrong);
        const Outcome outcome = run(toy, "quantize toy.safetensors --out no.safetensors --card wrong.json");
        CHECK(outcome.status == 1);
        CHECK_THAT(outcome.err, contains("card"));
    }
    CHECK_FALSE(std::filesystem::exists(toy / "no.safetensors"));
}

TEST_CASE("a state_dict becomes a model", "[toy]") {
    const ToyFolder toy;
    // A model's own tensors have a state_dict's names.
    const json description = json::parse(run(toy, "inspect toy.safetensors --json").out);
    json config{{"configuration", description.at("configuration")}, {"card", {{"task", "converted"}}}};
    const json symbols{{"kind", "words"}, {"append_eos", false}};
    for (const char* side : {"source", "target"}) {
        config["tokenizers"][side] = symbols;
        const auto size = description.at("tokenizers").at(side).at("vocabulary").get<int>();
        for (int i = 4; i < size; ++i) config["tokenizers"][side]["symbols"].push_back("w" + std::to_string(i));
    }
    toy.file("config.json", config.dump());
    const Outcome outcome = run(toy, "convert toy.safetensors --config config.json --out made.safetensors");
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(json::parse(run(toy, "inspect made.safetensors --json").out).at("card").at("task") == "converted");
    CHECK(run(toy, "translate made.safetensors", "w4 w5\n").status == 0);

    config["configuration"]["attn"] = 13;
    toy.file("config.json", config.dump());
    const Outcome other_shape = run(toy, "convert toy.safetensors --config config.json --out no.safetensors");
    CHECK(other_shape.status == 1);
    CHECK_THAT(other_shape.err, contains("toy.safetensors"));
}

TEST_CASE("a file that is no model, or half of one, is refused with its name and the reason", "[toy]") {
    const ToyFolder toy;
    const std::string model = toy.read("toy.safetensors");
    toy.file("half", model.substr(0, model.size() / 2));
    toy.file("empty", "");
    toy.file("text", "this is no model at all");
    for (const char* command : {"translate %", "evaluate % valid.tsv", "align % valid.tsv", "attention % a",
                                "inspect %", "quantize % --out q.safetensors"}) {
        for (const std::string name : {"half", "empty", "text", "missing"}) {
            std::string arguments = command;
            arguments.replace(arguments.find('%'), 1, name);
            INFO(arguments);
            const Outcome outcome = run(toy, arguments, "a\n");
            CHECK(outcome.status == 1);
            CHECK(outcome.out.empty());
            CHECK_THAT(outcome.err, starts_with("softalign: ") && contains("'" + name + "'"));
        }
    }
}

TEST_CASE("wrong usage is status 2 with a hint, help and version are status 0 on standard output", "[toy]") {
    const ToyFolder toy;
    for (const char* wrong :
         {"", "fly", "translate", "translate a b", "translate m --beam 0", "translate m --beam x",
          "translate m --alignment table", "translate m --alignment 1", "evaluate m d --limit -1", "train a.tsv",
          "quantize m --storage i4 --out x", "translate m --length-penalty nan",
          "train a --valid b --out m.safetensors --minutes nan", "lab length-curve --seed -1",
          "lab length-curve --seed ''", "lab length-curve --seed 18446744073709551616", "quantize m --out x --card ''",
          "split a --train b --valid c --test ''", "split a --train b --valid c --test d --valid-sentences ''"}) {
        INFO(wrong);
        const Outcome outcome = run(toy, wrong);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, contains("--help"));
    }
    for (const char* right :
         {"--help", "train --help", "translate --help", "evaluate --help", "align --help", "attention --help",
          "inspect --help", "convert --help", "quantize --help", "split --help"}) {
        INFO(right);
        const Outcome outcome = run(toy, right);
        CHECK(outcome.status == 0);
        CHECK_THAT(outcome.out, contains("Usage: softalign"));
        CHECK(outcome.err.empty());
    }
    CHECK_THAT(run(toy, "--version").out, starts_with("softalign 0."));
    CHECK(run(toy, "translate toy.safetensors --nbest 3 --beam 2", "a\n").status == 2);
}

TEST_CASE("every option that is a number has a range, which its help shows and its refusal names") {
    const TemporaryFolder folder;
    std::size_t numbers = 0;
    for (const char* command :
         {"split", "train", "translate", "evaluate", "align", "attention", "inspect", "convert", "quantize", "bench",
          "lab length-curve", "lab align", "lab credit", "lab wrong-axis", "lab cost", "lab translation-length",
          "lab faithfulness", "lab scan", "lab worked-example"}) {
        for (const std::string& line : lines_of(run(folder, std::string(command) + " --help").out)) {
            const std::size_t flag = line.find_first_not_of(' ');
            if (flag == std::string::npos || line.compare(flag, 2, "--") != 0) continue;
            const std::string name = line.substr(flag, line.find_first_of(" =", flag) - flag);
            if (line.find(" UINT") == std::string::npos && line.find(" FLOAT") == std::string::npos) continue;
            CAPTURE(command, line);
            ++numbers;
            const bool shown = line.find(":in [") != std::string::npos || line.find(":at least") != std::string::npos ||
                               line.find(":above") != std::string::npos;
            CHECK((shown || name == "--seed"));  // a seed is any number
            const Outcome refused = run(folder, std::string(command) + " " + name + "=-7");
            CHECK(refused.status == 2);
            CHECK_THAT(refused.err, contains(name) && contains("must be") && contains("'-7'"));
        }
    }
    CHECK(numbers > 60);
}

TEST_CASE("a reader that goes away ends the command quietly", "[toy]") {
    const ToyFolder toy;
    const std::string input = repeated("a b c\n", 20000);
    const Outcome outcome = run(toy, "translate toy.safetensors | head -n 1; true", input);
    CHECK(outcome.status == 0);
    CHECK(lines_of(outcome.out).size() == 1);
    CHECK(outcome.err.empty());
    for (const char* writes : {"inspect toy.safetensors", "--help", "translate --help", "--version"}) {
        INFO(writes);
        CHECK(run(toy, std::string(writes) + " >/dev/full; echo $?").out == "1\n");
    }
}

TEST_CASE("messages that nobody can read change nothing, and never get into a file", "[toy]") {
    const ToyFolder toy;
    REQUIRE(run(toy, "quantize toy.safetensors --out heard.safetensors").status == 0);
    for (const std::string unheard : {"2>/dev/full", "2>&-", "<&- 2>&-"}) {
        INFO(unheard);
        CHECK(run(toy, "quantize toy.safetensors --out unheard.safetensors " + unheard).status == 0);
        CHECK(toy.read("unheard.safetensors") == toy.read("heard.safetensors"));
        const std::string training =
            "train train.tsv --valid valid.tsv --config toy.json --overwrite --steps 20 --out ";
        CHECK(run(toy, training + "unheard-training.safetensors " + unheard).status == 0);
        CHECK(run(toy, "translate unheard-training.safetensors", "a\n").status == 0);
        CHECK(run(toy, "inspect missing " + unheard).status == 1);
        CHECK(run(toy, "fly " + unheard).status == 2);
    }
    CHECK(run(toy, "translate toy.safetensors <&-").status == 1);
    CHECK(run(toy, "translate toy.safetensors >&-", "a\n").status == 1);
}

TEST_CASE("a line is answered before the next one is asked for", "[toy]") {
    const ToyFolder toy;
    // The second line is written only when the first has come back.
    toy.file("talk.sh",
             "mkfifo to from\n"
             "'" SOFTALIGN_COMMAND
             "' translate toy.safetensors <to >from &\n"
             "exec 3>to 4<from\n"
             "echo 'a b' >&3; read -r first <&4; echo 'c' >&3; read -r second <&4\n"
             "exec 3>&-; wait; echo \"$first/$second\"\n");
    const Outcome outcome = run(toy, "--version >/dev/null && timeout 20 bash talk.sh");
    CHECK(outcome.status == 0);
    const std::vector<std::string> answers = lines_of(run(toy, "translate toy.safetensors", "a b\nc\n").out);
    CHECK(outcome.out == answers.at(0) + "/" + answers.at(1) + "\n");
}

TEST_CASE("lines that end with CR alone are translated one by one", "[toy]") {
    const ToyFolder toy;
    CHECK(lines_of(run(toy, "translate toy.safetensors", "a b\rc\rd e\r").out).size() == 3);
    CHECK(run(toy, "translate toy.safetensors", "a b\rc\r").out ==
          run(toy, "translate toy.safetensors", "a b\nc\n").out);
    CHECK(lines_of(run(toy, "translate toy.safetensors", "a\rb\nc\n").out).size() == 2);  // a space within a line
}

TEST_CASE("a line without end is refused before it fills the memory", "[toy]") {
    const ToyFolder toy;
    const Outcome outcome = run(toy, "translate toy.safetensors", "a\n" + std::string(17U << 20U, 'a'));
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.err, contains("standard input:2: the line is longer than 16 MiB"));
}

TEST_CASE("a file beyond the limit of sizes is a failed write that leaves nothing", "[toy]") {
    const ToyFolder folder;
    folder.file("limited.sh",
                "ulimit -f 8; exec '" SOFTALIGN_COMMAND "' quantize toy.safetensors --out q.safetensors\n");
    const std::size_t files = folder.files() + 3;  // the streams
    const Outcome outcome = run(folder, "--version; bash limited.sh");
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.err, contains("cannot write 'q.safetensors'") && contains("large"));
    CHECK(folder.files() == files);
}

namespace {

/// The toy model, whose files say what a terminal would obey: its card, a tensor's name and a word of its vocabulary.
void write_hostile_model(const TemporaryFolder& folder) {
    const std::string good = folder.read("toy.safetensors");
    const auto size = static_cast<std::size_t>(static_cast<unsigned char>(good[0])) |
                      static_cast<std::size_t>(static_cast<unsigned char>(good[1])) << 8U |
                      static_cast<std::size_t>(static_cast<unsigned char>(good[2])) << 16U;
    json header = json::parse(good.substr(8, size));
    json model = json::parse(header["__metadata__"]["softalign"].get<std::string>());
    model["card"]["task"] = "\x1b]0;owned\a\u009b31m";
    for (json& symbol : model["tokenizers"]["target"]["symbols"]) symbol = symbol.get<std::string>() + "\x1b[2J";
    header["__metadata__"]["softalign"] = model.dump();
    const std::string text = header.dump();
    std::string bytes;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        bytes += static_cast<char>(static_cast<unsigned char>(text.size() >> shift & 0xFFU));
    }
    folder.file("hostile.safetensors", bytes + text + good.substr(8 + size));
}

}  // namespace

TEST_CASE("no model speaks to the terminal", "[toy]") {
    const ToyFolder folder;
    write_hostile_model(folder);
    const auto obeyed = [](const std::string& text) {
        return text.find('\x1b') != std::string::npos || text.find('\a') != std::string::npos ||
               text.find("\u009b") != std::string::npos;
    };
    const Outcome table = run(folder, "inspect hostile.safetensors");
    CHECK(table.status == 0);
    CHECK_THAT(table.out, contains("\\u001b]0;owned\\u0007\\u009b31m"));
    CHECK_FALSE(obeyed(table.out));
    const Outcome heatmap = run(folder, "attention hostile.safetensors 'a b' --out heat.txt");
    CHECK(heatmap.status == 0);
    CHECK_THAT(folder.read("heat.txt"), contains("\\u001b[2J"));
    CHECK_FALSE(obeyed(folder.read("heat.txt") + heatmap.err + heatmap.out));
    CHECK(run(folder, "attention hostile.safetensors 'a b' --out heat.svg").status == 0);
    CHECK_FALSE(obeyed(folder.read("heat.svg")));

    // A file gets what the model writes, a terminal what it can show.
    const std::string translate = "translate hostile.safetensors --max-length 3";
    CHECK(obeyed(run(folder, translate, "a b\n").out));
    folder.file("watched.sh", "echo 'a b' | '" SOFTALIGN_COMMAND "' " + translate + "\n");
    const Outcome watched = run(folder, "--version >/dev/null; script -qec 'bash watched.sh' /dev/null");
    CHECK_THAT(watched.out, contains("\\u001b[2J"));
    CHECK_FALSE(obeyed(watched.out));
}

TEST_CASE("a file of another kind is called what it is") {
    const TemporaryFolder folder;
    folder.file("pointer.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n");
    folder.file("a.pt", std::string("PK\x03\x04\x00\x00\x08\x08\x00\x00\x00\x00", 12));
    CHECK_THAT(run(folder, "inspect pointer.safetensors").err, contains("git lfs pull"));
    CHECK_THAT(run(folder, "translate a.pt", "a\n").err, contains("torch.save"));
    folder.file("config.json", R"({"configuration": {"src_vocab": 9, "tgt_vocab": 9, "embed": 4, "enc_hidden": 4,
        "dec_hidden": 4, "attn": 4, "style": "bahdanau", "score": "additive"}, "tokenizers": {"source": {"kind": "words", "symbols": [], "append_eos": false},
        "target": {"kind": "words", "symbols": [], "append_eos": false}}})");
    CHECK_THAT(run(folder, "convert a.pt --config config.json --out m.safetensors").err, contains("torch.save"));
}
