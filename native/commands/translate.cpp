#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/data/line_input.hpp"
#include "native/data/load_model.hpp"
#include "native/evaluate/evaluation.hpp"
#include "native/evaluate/joined_alignment.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/system/thread_pool.hpp"

namespace softalign::commands {

namespace {

using nlohmann::json;

constexpr std::size_t kLinesAtOnce = 512;
constexpr std::size_t kBytesOfABatch = 6000;

enum class AlignmentFormat { none, pharaoh, matrix };

struct TranslateCommand {
    std::string model;
    SearchOptions search;
    std::size_t nbest = 0;  ///< 0: one translation, in the plain format
    AlignmentFormat alignment = AlignmentFormat::none;
    std::size_t threads = 0;
};

/// How the texts of one model are grouped for an alignment.
struct Groupings {
    explicit Groupings(const Translator& translator)
        : source(line_grouping(*translator.description().source_tokenizer)),
          target(line_grouping(*translator.description().target_tokenizer)) {}
    Grouping source;
    Grouping target;
};

std::string pharaoh(const Translation& translation, const TranslatedHypothesis& hypothesis,
                    const Groupings& groupings) {
    const Matrix& alignment = hypothesis.hypothesis.alignment;
    if (alignment.size() == 0) return "";
    return metrics::to_pharaoh(strongest_links(units_of(translation.input, translation.source, groupings.source),
                                               units_of(hypothesis.text, hypothesis.target, groupings.target),
                                               alignment));
}

json tokens_to_json(const std::vector<Token>& tokens) {
    json result = json::array();
    for (const Token& token : tokens) {
        result.push_back({{"text", token.text}, {"begin", token.begin}, {"end", token.end}});
    }
    return result;
}

json rows_to_json(const Matrix& alignment) {
    json rows = json::array();
    for (std::size_t t = 0; t < alignment.shape(0); ++t) {
        rows.push_back(std::vector<float>(row(alignment, t), row(alignment, t) + alignment.shape(1)));
    }
    return rows;
}

std::string json_line(std::size_t line, const Translation& translation, const TranslatedHypothesis& hypothesis) {
    json result{{"line", line},
                {"input", translation.input},
                {"text", hypothesis.text},
                {"score", hypothesis.hypothesis.score},
                {"finished", hypothesis.hypothesis.finished},
                {"source", tokens_to_json(translation.source)},
                {"target", tokens_to_json(hypothesis.target)},
                {"alignment", json::array()}};
    if (hypothesis.hypothesis.alignment.size() > 0) result["alignment"] = rows_to_json(hypothesis.hypothesis.alignment);
    return result.dump() + "\n";
}

std::string format_line(const TranslateCommand& command, const Groupings& groupings, std::size_t line,
                        const Translation& translation, const TranslatedHypothesis& hypothesis) {
    if (command.alignment == AlignmentFormat::matrix) return json_line(line, translation, hypothesis);
    std::string text = hypothesis.text;
    if (command.nbest > 0) text = fmt::format("{} ||| {} ||| {:.6f}", line, text, hypothesis.hypothesis.score);
    if (command.alignment == AlignmentFormat::pharaoh) text += " ||| " + pharaoh(translation, hypothesis, groupings);
    return text + "\n";
}

/// Translations in the order of the lines. Lines of similar length are searched together.
std::vector<Translation> translate_lines(const Translator& translator, const std::vector<std::string>& lines,
                                         const SearchOptions& options, simd::Executor& executor) {
    std::vector<std::size_t> lengths;
    for (const std::string& line : lines) lengths.push_back(line.size());
    std::vector<Translation> result(lines.size());
    for (const std::vector<std::size_t>& batch : inference_batches(lengths, kBytesOfABatch)) {
        std::vector<std::string> texts;
        for (const std::size_t i : batch) texts.push_back(lines[i]);
        std::vector<Translation> translations = translator.translate(texts, options, executor);
        for (std::size_t b = 0; b < batch.size(); ++b) result[batch[b]] = std::move(translations[b]);
    }
    return result;
}

void translate(const TranslateCommand& command) {
    SearchOptions options = command.search;
    options.nbest = std::max<std::size_t>(1, command.nbest);
    if (options.nbest > options.beam) {
        throw UsageError(fmt::format("--nbest {} needs at least --beam {}", options.nbest, options.nbest));
    }
    const std::unique_ptr<Translator> translator = load_translator(command.model);
    const Groupings groupings(*translator);
    ThreadPool executor(command.threads);

    LineInput input;
    std::size_t number = 0;
    for (;;) {
        const std::vector<std::string> lines = input.next(kLinesAtOnce);
        if (lines.empty()) break;
        for (const Translation& translation : translate_lines(*translator, lines, options, executor)) {
            for (const TranslatedHypothesis& hypothesis : translation.hypotheses) {
                write_output(format_line(command, groupings, number, translation, hypothesis));
            }
            ++number;
        }
        flush_output();
    }
}

}  // namespace

void add_translate(CLI::App& app) {
    const auto options = std::make_shared<TranslateCommand>();
    CLI::App* command = app.add_subcommand("translate", "translate standard input, one sentence a line");
    command->footer(
        "Every input line gives one output line; an empty line gives an empty one. Bytes that are not UTF-8 are read\n"
        "as U+FFFD. With --nbest N a sentence gives up to N lines, best first (an empty sentence gives one):\n"
        "    LINE ||| TRANSLATION ||| SCORE\n"
        "where LINE counts sentences from 0 and SCORE is log-probability / length^alpha.\n\n"
        "--alignment pharaoh appends \" ||| 0-0 1-2 ...\": for each word of the translation, the source word it was "
        "read\n"
        "from most, both counted from 0 (characters, if the model reads or writes characters).\n"
        "--alignment json prints one object a line instead, with the tokens of both sides, their byte offsets and the\n"
        "whole matrix of weights, target tokens down, source tokens across.\n\n"
        "Example: echo 'The cat is sleeping on the bed.' | softalign translate en-fr.safetensors --beam 5");
    add_model(*command, options->model);
    add_search(*command, options->search);
    add_whole_number(*command, "--nbest", options->nbest, {1, 1000},
                     "translations to print for each sentence, at most --beam")
        ->default_str("");
    add_choice<AlignmentFormat>(*command, "--alignment", options->alignment,
                                {{"pharaoh", AlignmentFormat::pharaoh}, {"json", AlignmentFormat::matrix}},
                                "print which words were read from which");
    add_threads(*command, options->threads);
    command->callback([options] { translate(*options); });
}

}  // namespace softalign::commands
