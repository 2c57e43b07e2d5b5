#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text/unicode.hpp"
#include "native/commands/commands.hpp"
#include "native/data/load_model.hpp"
#include "native/data/normalise.hpp"
#include "native/evaluate/bleu.hpp"
#include "native/evaluate/chrf.hpp"
#include "native/evaluate/evaluation.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/say/progress.hpp"
#include "native/system/thread_pool.hpp"

namespace softalign::commands {

namespace {

struct EvaluateCommand {
    std::string model;
    std::string data;
    SearchOptions search;
    std::size_t limit = 0;
    std::size_t threads = 0;
};

bool matches_a_reference(const std::string& translation, const std::vector<std::string>& references) {
    return std::any_of(references.begin(), references.end(),
                       [&](const std::string& reference) { return prepare_text(reference, to_nfc) == translation; });
}

nlohmann::ordered_json compare(const std::vector<std::string>& translations, const std::vector<SentencePair>& pairs) {
    metrics::Bleu bleu;
    metrics::Bleu bleu_of_all;
    metrics::Chrf chrf;
    metrics::Chrf chrf_of_all;
    std::size_t exact = 0;
    std::size_t most_references = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::vector<std::string>& references = pairs[i].targets;
        bleu.add(translations[i], {references.front()});
        bleu_of_all.add(translations[i], references);
        chrf.add(translations[i], {references.front()});
        chrf_of_all.add(translations[i], references);
        exact += matches_a_reference(translations[i], references);
        most_references = std::max(most_references, references.size());
    }
    nlohmann::ordered_json result;
    result["exact_match"] = static_cast<double>(exact) / static_cast<double>(pairs.size());
    result["bleu"] = bleu.score();
    result["chrf"] = chrf.score();
    if (most_references > 1) {
        result["bleu_all_references"] = bleu_of_all.score();
        result["chrf_all_references"] = chrf_of_all.score();
    }
    return result;
}

void evaluate(const EvaluateCommand& command) {
    const auto [description, parameters] = load_model(command.model);
    std::vector<SentencePair> pairs = read_parallel(command.data);
    if (command.limit > 0 && command.limit < pairs.size()) pairs.resize(command.limit);
    const PreparedCorpus corpus = prepare(pairs, command.data);
    const std::vector<EncodedPair> encoded =
        encode(corpus, *description.source_tokenizer, *description.target_tokenizer);
    const Seq2Seq model(description.configuration, parameters);
    ThreadPool executor(command.threads);

    TargetScores scores;
    {
        Progress progress("scoring the references", pairs.size());
        scores = score_targets(executor, model, encoded, [&](std::size_t done) { progress.update(done); });
    }
    Progress progress("translating", pairs.size());
    const std::vector<std::string> translations =
        translate_sources(executor, model, *description.target_tokenizer, encoded, command.search,
                          [&](std::size_t done) { progress.update(done); });

    nlohmann::ordered_json result;
    result["sentences"] = pairs.size();
    result["beam"] = command.search.beam;
    result["loss"] = scores.loss;
    result["perplexity"] = std::exp(scores.loss);
    result["token_accuracy"] = scores.accuracy;
    result.update(compare(translations, pairs));
    write_output(result.dump(2) + "\n");
}

}  // namespace

void add_evaluate(CLI::App& app) {
    const auto options = std::make_shared<EvaluateCommand>();
    CLI::App* command = app.add_subcommand("evaluate", "measure how good a model is on parallel text, as JSON");
    command->footer(
        "loss is the cross-entropy of the first reference in nats per symbol (including EOS), perplexity its\n"
        "exponential, token_accuracy the share of symbols that the model found most likely given those before them.\n"
        "exact_match is the share of translations that equal a reference. bleu equals sacreBLEU with its default\n"
        "signature (13a tokenisation, exponential smoothing), chrf its chrF2; both against the first reference and,\n"
        "if there are several, against all.\n\n"
        "Example: softalign evaluate en-fr.safetensors valid.tsv.gz --beam 5");
    add_model(*command, options->model);
    command
        ->add_option("DATA", options->data, "source<TAB>reference[<TAB>references], gzipped or not; -: standard input")
        ->required();
    add_search(*command, options->search);
    add_whole_number(*command, "--limit", options->limit, {0, 1'000'000'000},
                     "use only this many lines from the start; 0: all");
    add_threads(*command, options->threads);
    command->callback([options] { evaluate(*options); });
}

}  // namespace softalign::commands
