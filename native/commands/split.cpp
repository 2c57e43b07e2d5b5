#include "native/data/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/system/files.hpp"

namespace softalign::commands {

namespace {

struct SplitCommand {
    std::string file;
    std::string train;
    std::string valid;
    std::string test;
    PartSizes sizes{2000, 2000};
    std::uint64_t seed = 1;
};

/// Two names of one file would lose text.
void require_different(const std::vector<std::string>& paths) {
    std::vector<std::filesystem::path> seen;
    for (const std::string& path : paths) {
        const std::filesystem::path place = std::filesystem::weakly_canonical(std::filesystem::absolute(path));
        if (std::find(seen.begin(), seen.end(), place) != seen.end()) {
            throw UsageError("'" + path + "' is named twice: the text and its parts must be different files");
        }
        seen.push_back(place);
    }
}

/// Training reads only the first target of a line, so each translation gets its own line.
std::vector<Columns> one_line_a_translation(const std::vector<SentencePair>& sentences) {
    std::vector<Columns> rows;
    for (const SentencePair& sentence : sentences) {
        for (const std::string& target : sentence.targets) rows.push_back({sentence.source, target});
    }
    return rows;
}

std::vector<Columns> one_line_a_sentence(const std::vector<SentencePair>& sentences) {
    std::vector<Columns> rows;
    for (const SentencePair& sentence : sentences) {
        rows.push_back({sentence.source});
        rows.back().insert(rows.back().end(), sentence.targets.begin(), sentence.targets.end());
    }
    return rows;
}

void describe(const CollectedText& text, const std::string& path, std::size_t repeated) {
    write_message(fmt::format("{}: {} pairs", path, text.pairs.size()));
    if (text.attributions > 0) write_message("; attributions left out");
    if (repeated > 0) write_message(fmt::format("; repeated translations left out: {}", repeated));
    write_message("\n");
    if (text.skipped.empty()) return;
    write_message(fmt::format("{} lines without source or target skipped, the first is line {}\n", text.skipped.size(),
                              text.skipped.front()));
}

void describe(const std::string& path, const std::vector<SentencePair>& sentences) {
    std::size_t translations = 0;
    for (const SentencePair& sentence : sentences) translations += sentence.targets.size();
    write_message(fmt::format("{}: {} sentences with {} translations\n", path, sentences.size(), translations));
}

void split(const SplitCommand& command) {
    require_different({command.file, command.train, command.valid, command.test});
    const CollectedText text = read_collected(command.file);
    const TextParts parts = softalign::split(text.pairs, command.sizes, command.seed);
    write_files({{command.train, table_bytes(one_line_a_translation(parts.training), command.train)},
                 {command.valid, table_bytes(one_line_a_sentence(parts.validation), command.valid)},
                 {command.test, table_bytes(one_line_a_sentence(parts.test), command.test)}});
    describe(text, command.file, parts.repeated);
    describe(command.train, parts.training);
    describe(command.valid, parts.validation);
    describe(command.test, parts.test);
    write_output(command.train + "\n" + command.valid + "\n" + command.test + "\n");
}

}  // namespace

void add_split(CLI::App& app) {
    const auto options = std::make_shared<SplitCommand>();
    CLI::App* command =
        app.add_subcommand("split", "divide parallel text into parts for training, validation and test");
    command->footer(
        "FILE holds source<TAB>target lines in UTF-8, gzipped or not. Further columns are further targets, except for\n"
        "the attribution (CC-BY ...) in files from www.manythings.org/anki. Lines without source or target are "
        "skipped\n"
        "and counted. No source sentence is in two parts, nor are two that differ only in case, spaces or "
        "punctuation.\n\n"
        "The training part has one line for each translation. The other parts have each sentence once, with all its\n"
        "translations as columns: references for evaluate. Parts whose names end with .gz are gzipped. Either all\n"
        "parts are written or none.\n\n"
        "Example: softalign split fra.txt --train train.tsv.gz --valid valid.tsv.gz --test test.tsv.gz");
    command->add_option("FILE", options->file, "the parallel text; -: standard input")->required();
    command->add_option("--train", options->train, "the part to train on")->required();
    command->add_option("--valid", options->valid, "the part to validate on during training")->required();
    command->add_option("--test", options->test, "the part to test the finished model on")->required();
    constexpr std::uint64_t most = 1'000'000'000;
    add_whole_number(*command, "--valid-sentences", options->sizes.validation, {0, most},
                     "different source sentences in that part");
    add_whole_number(*command, "--test-sentences", options->sizes.test, {0, most},
                     "different source sentences in that part");
    add_seed(*command, options->seed, "of the choice");
    command->callback([options] { split(*options); });
}

}  // namespace softalign::commands
