#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/model/teacher_forcing.hpp"
#include "native/commands/commands.hpp"
#include "native/commands/shared.hpp"
#include "native/evaluation.hpp"
#include "native/output.hpp"
#include "native/progress.hpp"
#include "native/text_units.hpp"
#include "native/thread_pool.hpp"

namespace softalign::commands {

namespace {

constexpr std::size_t kBatchWords = 1500;

struct AlignCommand {
    std::string model;
    std::string data;
    std::string gold;
    std::size_t threads = 0;
};

/// What one side of a corpus is aligned by, and as what the model reads it.
struct Side {
    std::vector<TextUnit> units;
    std::vector<int> ids;
};

Side side_of(const std::string& text, const Tokenizer& tokenizer, Grouping grouping) {
    const std::vector<Token> tokens = tokenizer.encode(text);
    Side side{units_of(text, tokens, grouping), {}};
    for (const Token& token : tokens) side.ids.push_back(token.id);
    return side;
}

std::vector<metrics::Links> align_corpus(const ModelFile& file, const PreparedCorpus& corpus, bool by_words,
                                         simd::Executor& executor) {
    const auto grouping_of = [&](const Tokenizer& tokenizer) {
        return by_words ? Grouping::words : natural_grouping(tokenizer);
    };
    const Grouping source_grouping = grouping_of(*file.source_tokenizer);
    const Grouping target_grouping = grouping_of(*file.target_tokenizer);
    const Seq2Seq model(file.configuration, file.parameters);

    std::vector<std::size_t> lengths;
    for (const std::string& source : corpus.sources) lengths.push_back(source.size());
    std::vector<metrics::Links> links(corpus.sources.size());
    Progress progress("aligning", links.size());
    std::size_t done = 0;
    for (const std::vector<std::size_t>& batch : inference_batches(lengths, 4 * kBatchWords)) {
        std::vector<Side> source_sides;
        std::vector<Side> target_sides;
        std::vector<std::vector<int>> sources;
        std::vector<std::vector<int>> targets;
        for (const std::size_t i : batch) {
            source_sides.push_back(side_of(corpus.sources[i], *file.source_tokenizer, source_grouping));
            target_sides.push_back(side_of(corpus.targets[i], *file.target_tokenizer, target_grouping));
            sources.push_back(source_sides.back().ids);
            targets.push_back({BOS});
            targets.back().insert(targets.back().end(), target_sides.back().ids.begin(), target_sides.back().ids.end());
            targets.back().push_back(EOS);
        }
        const std::vector<ForcedSentence> forced = forced_decode(executor, model, sources, targets);
        for (std::size_t b = 0; b < batch.size(); ++b) {
            links[batch[b]] = strongest_links(source_sides[b].units, target_sides[b].units, forced[b].alignment);
        }
        progress.update(done += batch.size());
    }
    return links;
}

void require_same_words(const std::string& path, std::size_t line, const std::string& text,
                        const std::vector<std::string>& words, const char* side) {
    const auto found = static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
    if (found != words.size()) {
        throw Error(fmt::format("{}:{}: the {} has {} words, but the gold alignment speaks of {}", path, line, side,
                                found, words.size()));
    }
}

void align(const AlignCommand& command) {
    const ModelFile file = load_model(command.model);
    if (file.configuration.style == Style::none) throw UsageError("a model without attention aligns nothing");
    const PreparedCorpus corpus = prepare(read_parallel(command.data), command.data);
    std::vector<metrics::GoldAlignment> gold;
    if (!command.gold.empty()) {
        gold = metrics::read_gold_alignments(command.gold);
        if (gold.size() != corpus.sources.size()) {
            throw Error(fmt::format("'{}' has {} lines, but '{}' has {}", command.gold, gold.size(), command.data,
                                    corpus.sources.size()));
        }
        for (std::size_t i = 0; i < gold.size(); ++i) {
            require_same_words(command.data, i + 1, corpus.sources[i], gold[i].source, "source");
            require_same_words(command.data, i + 1, corpus.targets[i], gold[i].target, "target");
        }
    }
    ThreadPool executor(command.threads);
    const std::vector<metrics::Links> links = align_corpus(file, corpus, !gold.empty(), executor);
    metrics::AlignmentErrorRate error_rate;
    for (std::size_t i = 0; i < links.size(); ++i) {
        write_output(metrics::to_pharaoh(links[i]) + "\n");
        if (!gold.empty()) error_rate.add(links[i], gold[i]);
    }
    if (!gold.empty()) write_output(fmt::format("AER {:.4f}\n", error_rate.rate()));
}

}  // namespace

void add_align(CLI::App& app) {
    const auto options = std::make_shared<AlignCommand>();
    CLI::App* command = app.add_subcommand("align", "which source word each word of a given translation was read from");
    command->footer(
        "Forced decoding: the model is led through the given target, and every target word is linked to the source "
        "word whose\n"
        "weight was largest. One line of links a pair, source-target, counted from 0 (characters, where the model "
        "reads or\n"
        "writes characters): \"0-0 1-2 2-1\".\n\n"
        "--gold FILE holds the same pairs, with their words separated by spaces, and two further columns: sure links, "
        "and\n"
        "links that are possible only. The alignment error rate (Och and Ney 2003; 0 is perfect) follows as a last "
        "line, \"AER 0.3141\".\n\n"
        "Example: softalign align en-fr.safetensors alibi.tsv.gz --gold alibi.tsv.gz");
    add_model(*command, options->model);
    command->add_option("DATA", options->data, "source<TAB>target lines, gzipped or not; -: standard input")
        ->required();
    command->add_option("--gold", options->gold, "alignments by people, to print the error rate");
    add_threads(*command, options->threads);
    command->callback([options] { align(*options); });
}

}  // namespace softalign::commands
