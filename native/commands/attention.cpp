#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/data/load_model.hpp"
#include "native/evaluate/joined_alignment.hpp"
#include "native/options/options.hpp"
#include "native/pictures/heatmap.hpp"
#include "native/say/output.hpp"
#include "native/say/printable.hpp"
#include "native/say/terminal.hpp"
#include "native/system/files.hpp"
#include "native/system/thread_pool.hpp"

namespace softalign::commands {

namespace {

constexpr std::size_t kColumnsOfAFile = 100;

struct AttentionCommand {
    std::string model;
    std::string text;
    std::string out;
    bool pieces = false;
    SearchOptions search;
    std::size_t threads = 0;
};

std::vector<std::string> labels(const std::vector<TextUnit>& units) {
    std::vector<std::string> texts;
    for (const TextUnit& unit : units) texts.push_back(printable(unit.text));
    return texts;
}

Heatmap heatmap_of(const Translator& translator, const Translation& translation, bool pieces) {
    const TranslatedHypothesis& best = translation.hypotheses.front();
    const auto grouping_of = [&](const Tokenizer& tokenizer) {
        return pieces ? Grouping::tokens : natural_grouping(tokenizer);
    };
    const auto source =
        units_of(translation.input, translation.source, grouping_of(*translator.description().source_tokenizer));
    const auto target = units_of(best.text, best.target, grouping_of(*translator.description().target_tokenizer));
    return {labels(source), labels(target), join_alignment(source, target, best.hypothesis.alignment)};
}

/// The picture in the format that the file's name asks for.
std::string picture(const Heatmap& heatmap, const std::string& out) {
    const std::string extension = std::filesystem::path(out).extension().string();
    if (extension == ".svg") return heatmap_svg(heatmap);
    if (extension == ".png") return heatmap_png(heatmap);
    if (extension == ".txt") return heatmap_text(heatmap, kColumnsOfAFile);
    throw UsageError("--out must end with .svg, .png or .txt, not '" + out + "'");
}

void attention(const AttentionCommand& command) {
    const std::unique_ptr<Translator> translator = load_translator(command.model);
    if (translator->description().configuration.score == Score::none) {
        throw UsageError("'" + command.model + "' has no attention, so there is nothing to draw");
    }
    ThreadPool executor(command.threads);
    const Translation translation = translator->translate(command.text, command.search, executor);
    if (translation.source.empty()) throw UsageError("TEXT is empty");
    const Heatmap heatmap = heatmap_of(*translator, translation, command.pieces);
    if (command.out.empty()) {
        write_output(heatmap_text(heatmap, terminal::columns(STDOUT_FILENO).value_or(kColumnsOfAFile)));
        return;
    }
    write_file(command.out, picture(heatmap, command.out));
    write_message(fmt::format("{}\n", translation.hypotheses.front().text));
    write_output(command.out + "\n");
}

}  // namespace

void add_attention(CLI::App& app) {
    const auto options = std::make_shared<AttentionCommand>();
    CLI::App* command =
        app.add_subcommand("attention", "translate a sentence and draw which words were read from which");
    command->footer(
        "Source words run across, the words of the translation down; the darker a cell, the more of the source word\n"
        "was read for the target word. Each row sums to 100 %. The last row is the end of the sentence. Without "
        "--out,\n"
        "the picture is drawn with characters on standard output.\n\n"
        "Example: softalign attention en-fr.safetensors 'The black cat is sleeping.' --out cat.svg");
    add_model(*command, options->model);
    command->add_option("TEXT", options->text, "one sentence")->required();
    command->add_option("--out", options->out, "the picture to write: NAME.svg, NAME.png or NAME.txt");
    command->add_flag("--pieces", options->pieces,
                      "show the pieces that the model reads and writes instead of whole words");
    add_search(*command, options->search);
    add_threads(*command, options->threads);
    command->callback([options] { attention(*options); });
}

}  // namespace softalign::commands
