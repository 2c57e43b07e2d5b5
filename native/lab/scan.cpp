#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "core/train/batches.hpp"
#include "core/train/schedule.hpp"
#include "core/train/training.hpp"
#include "native/data/tokenizers.hpp"
#include "native/evaluate/evaluation.hpp"
#include "native/lab/experiment.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

namespace {

struct ScanOptions {
    std::string folder;  ///< SPLIT.train.tsv[.gz] and SPLIT.test.tsv[.gz] of every split
    std::size_t hidden = 200;
    std::uint64_t epochs = 12;
    std::size_t batch_words = 1500;
    float learning_rate = 0.002F;
    float dropout = 0.3F;  ///< of the embeddings and before the output layer
    std::uint64_t seed = 1;
};

struct Split {
    const char* name;
    const char* label;
    double published_overall;  ///< percent, of the network that was best over all experiments
    double published_best;     ///< of the one that was best on this split
};
constexpr Split kSplits[] = {
    {"simple", "simple", 99.7, 99.8}, {"length", "length", 13.8, 20.8}, {"addprim_jump", "jump", 0.08, 1.2}};

std::string existing(const std::string& folder, const std::string& name) {
    const std::filesystem::path plain = std::filesystem::path(folder) / name;
    const std::string gzipped = plain.string() + ".gz";
    return std::filesystem::exists(gzipped) ? gzipped : plain.string();
}

PreparedCorpus read(const std::string& path) {
    return prepare(read_parallel(path), path);
}

Configuration configuration_of(const ScanOptions& options, const Tokenizers& tokenizers) {
    Configuration configuration;
    configuration.src_vocab = tokenizers.source->vocabulary_size();
    configuration.tgt_vocab = tokenizers.target->vocabulary_size();
    configuration.embed = options.hidden / 2;
    configuration.enc_hidden = options.hidden / 2;
    configuration.dec_hidden = options.hidden;
    configuration.attn = options.hidden / 2;
    configuration.bidirectional = true;
    configuration.bridge = true;
    configuration.validate();
    return configuration;
}

std::shared_ptr<const Parameters> train(const Tools& tools, const ScanOptions& options,
                                        const Configuration& configuration, const std::vector<EncodedPair>& pairs,
                                        const std::string& label) {
    TrainingOptions training_options;
    training_options.embedding_dropout = training_options.output_dropout = options.dropout;
    training_options.seed = options.seed;
    Training training(configuration, training_options);

    std::vector<PairLength> lengths;
    for (const EncodedPair& pair : pairs) lengths.push_back({pair.source.size(), pair.target.size() - 1});
    ScheduleOptions schedule;
    schedule.peak = options.learning_rate;
    schedule.warmup_steps = 100;
    schedule.floor = 0.02F;
    schedule.total_steps = options.epochs * epoch_batches(lengths, options.batch_words, options.seed, 0).size();
    const OnWork progress = tools.begin(label, schedule.total_steps);
    for (std::uint64_t epoch = 0; epoch < options.epochs; ++epoch) {
        for (const auto& indices : epoch_batches(lengths, options.batch_words, options.seed, epoch)) {
            Batch batch;
            for (const std::size_t i : indices) {
                batch.sources.push_back(pairs[i].source);
                batch.targets.push_back(pairs[i].target);
            }
            const std::uint64_t step = training.state().steps;
            const StepResult result = training.step(tools.executor, batch, learning_rate(schedule, step, {}));
            progress(step + 1, fmt::format("loss {:.4f}", result.batch.loss));
        }
    }
    return training.parameters();
}

/// Percent of the test's commands whose whole action sequence is right.
double exact_match(simd::Executor& executor, const Seq2Seq& model, const Tokenizers& tokenizers,
                   const PreparedCorpus& test) {
    const std::vector<EncodedPair> pairs = encode(test, *tokenizers.source, *tokenizers.target);
    SearchOptions search;
    search.max_length = 100;  // twice the longest action sequence
    const std::vector<std::string> found = translate_sources(executor, model, *tokenizers.target, pairs, search);
    std::size_t right = 0;
    for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == test.targets[i];
    return 100 * static_cast<double>(right) / static_cast<double>(found.size());
}

/// SCAN, commands such as "jump around left twice" to sequences of actions (Lake and Baroni, "Generalization without
/// Systematicity", 2018), by exact match of greedy search. Three splits ask ever more of the same grammar: `simple`
/// holds out commands at random, `length` tests on action sequences longer than any that was learnt, `addprim_jump` on
/// compositions of a verb that was learnt alone. Beside them stand the paper's figures, of the network that was best
/// over all experiments and of the one that was best on the split.
Report scan(const ScanOptions& options, const Tools& tools) {
    Report report;
    report.json["experiment"] = "scan";
    report.json["epochs"] = options.epochs;
    report.json["hidden"] = options.hidden;
    report.json["seed"] = options.seed;
    report.chart.kind = Chart::Kind::bars;
    report.chart.title = "SCAN: memorised or understood?";
    report.chart.subtitle = "Action sequences without a mistake; published: Lake and Baroni 2018";
    report.chart.x_label = "split";
    report.chart.y_label = "exact match (%)";
    report.chart.y_most = 100;
    report.chart.bar_digits = 2;
    report.chart.series = {{"here", {}, false},
                           {"published, best network over all", {}, true},
                           {"published, best on the split", {}, true}};

    for (const Split& split : kSplits) {
        const PreparedCorpus training = read(existing(options.folder, fmt::format("{}.train.tsv", split.name)));
        const PreparedCorpus test = read(existing(options.folder, fmt::format("{}.test.tsv", split.name)));
        TokenizersRecipe recipe;
        recipe.source = recipe.target = TokenizerKind::words;
        const Tokenizers tokenizers = build_tokenizers(recipe, training);
        const Configuration configuration = configuration_of(options, tokenizers);
        const auto begin = std::chrono::steady_clock::now();
        const std::shared_ptr<const Parameters> parameters =
            train(tools, options, configuration, encode(training, *tokenizers.source, *tokenizers.target), split.label);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        const double exact = exact_match(tools.executor, Seq2Seq(configuration, parameters), tokenizers, test);
        report.json["splits"][split.name] = {
            {"training_pairs", training.sources.size()},         {"test_pairs", test.sources.size()},
            {"training_seconds", figure(seconds.count())},       {"exact_match_percent", figure(exact)},
            {"published_overall_best", split.published_overall}, {"published_best_on_split", split.published_best}};
        const auto category = static_cast<double>(report.chart.categories.size());
        report.chart.series[0].points.emplace_back(category, exact);
        report.chart.series[1].points.emplace_back(category, split.published_overall);
        report.chart.series[2].points.emplace_back(category, split.published_best);
        report.chart.categories.push_back(split.label);
    }
    return report;
}

}  // namespace

Experiment scan_experiment() {
    return {
        "scan", "SCAN: commands to actions, on the splits simple, length and jump",
        "--data FOLDER holds simple, length and addprim_jump, each as .train.tsv and .test.tsv, gzipped or not:\n"
        "command<TAB>actions (Lake and Baroni 2018). A model is trained on each split and tested by exact match.",
        [](CLI::App& command) -> Run {
            const auto options = std::make_shared<ScanOptions>();
            require_text(command, "--data", options->folder, "the folder of the splits");
            add_whole_number(command, "--hidden", options->hidden, {2, 4096}, "units of the decoder");
            add_whole_number(command, "--epochs", options->epochs, {1, 100'000}, "passes over the training commands");
            add_whole_number(command, "--batch-words", options->batch_words, {1, 1'000'000},
                             "source and target symbols of a batch");
            add_number(command, "--learning-rate", options->learning_rate, {1e-6, 1},
                       "Adam's learning rate at its highest");
            add_number(command, "--dropout", options->dropout, {0, 0.9},
                       "dropout of the embeddings and before the output layer");
            add_seed(command, options->seed, "of weights and order");
            return [options](const Tools& tools) { return scan(*options, tools); };
        }};
}

}  // namespace softalign::lab
