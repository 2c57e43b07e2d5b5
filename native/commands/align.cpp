#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/data/load_model.hpp"
#include "native/evaluate/forced_alignment.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/say/progress.hpp"
#include "native/system/thread_pool.hpp"

namespace softalign::commands {

namespace {

struct AlignCommand {
    std::string model;
    std::string data;
    std::string gold;
    std::size_t threads = 0;
};

void require_same_words(const std::string& path, std::size_t line, const std::string& text,
                        const std::vector<std::string>& words, const char* side) {
    const auto found = static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
    if (found != words.size()) {
        throw Error(fmt::format("{}:{}: the {} has {} words, but the gold alignment has {}", path, line, side, found,
                                words.size()));
    }
}

void align(const AlignCommand& command) {
    const StoredModel model = load_model(command.model);
    if (!kind(model.description.configuration.style).attends)
        throw UsageError("a model without attention cannot align");
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
    std::vector<ForcedAlignment> pairs;
    {
        Progress progress("aligning", corpus.sources.size());
        pairs = align_forced(executor, model, corpus, !gold.empty(), [&](std::size_t done) { progress.update(done); });
    }
    metrics::AlignmentErrorRate error_rate;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const metrics::Links links = strongest_links(pairs[i].source, pairs[i].target, pairs[i].alignment);
        write_output(metrics::to_pharaoh(links) + "\n");
        if (!gold.empty()) error_rate.add(links, gold[i]);
    }
    if (!gold.empty()) write_output(fmt::format("AER {:.4f}\n", error_rate.rate()));
}

}  // namespace

void add_align(CLI::App& app) {
    const auto options = std::make_shared<AlignCommand>();
    CLI::App* command =
        app.add_subcommand("align", "print which source word each word of a given translation was read from");
    command->footer(
        "Forced decoding: the model is fed the given target, and every target word is linked to the source word with\n"
        "the largest weight. Prints one line of links for each pair, source-target, counted from 0 (characters, if "
        "the\n"
        "model reads or writes characters): \"0-0 1-2 2-1\".\n\n"
        "--gold FILE holds the same pairs, their words separated by spaces, and two further columns: sure links and\n"
        "possible links. A last line, \"AER 0.3141\", gives the alignment error rate (Och and Ney 2003; 0 is "
        "perfect).\n\n"
        "Example: softalign align en-fr.safetensors alibi.tsv.gz --gold alibi.tsv.gz");
    add_model(*command, options->model);
    command->add_option("DATA", options->data, "source<TAB>target lines, gzipped or not; -: standard input")
        ->required();
    command->add_option("--gold", options->gold, "human alignments, to print the error rate");
    add_threads(*command, options->threads);
    command->callback([options] { align(*options); });
}

}  // namespace softalign::commands
