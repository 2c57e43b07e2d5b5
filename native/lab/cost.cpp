#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "core/error.hpp"
#include "core/nn/random.hpp"
#include "core/simd/kernels.hpp"
#include "core/train/training.hpp"
#include "native/evaluate/statistics.hpp"
#include "native/lab/experiment.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

namespace {

struct CostOptions {
    std::size_t hidden = 256;       ///< of the embedding, the decoder, both directions of the encoder together
    std::size_t vocabulary = 4000;  ///< of both sides
    std::size_t batch = 32;
    std::size_t rounds = 20;  ///< timed steps of each model and length
    std::uint64_t seed = 1;
};

constexpr std::size_t kLengths[] = {10, 20, 40, 80};
constexpr Score kMeasured[] = {Score::none, Score::additive, Score::dot};

const char* label(Score score) {
    return score == Score::none ? "no attention" : kind(score).name;
}

Configuration configuration_of(const CostOptions& options, Score score) {
    Configuration configuration;
    configuration.src_vocab = configuration.tgt_vocab = options.vocabulary;
    configuration.embed = options.hidden;
    configuration.enc_hidden = options.hidden / 2;
    configuration.dec_hidden = options.hidden;
    configuration.bidirectional = true;
    configuration.style = score == Score::none ? Style::none : Style::bahdanau;
    configuration.score = score;
    configuration.attn = score == Score::additive ? options.hidden : 0;
    configuration.readout = options.hidden;
    configuration.validate();
    return configuration;
}

Batch random_batch(const CostOptions& options, std::size_t length) {
    const RandomStream random(options.seed, RandomUse::batch_order, length);
    std::uint64_t position = 0;
    const auto word = [&] {
        return kSymbols + static_cast<int>(random.uniform(position++) *
                                           static_cast<double>(options.vocabulary - std::size_t{kSymbols}));
    };
    Batch batch;
    for (std::size_t b = 0; b < options.batch; ++b) {
        std::vector<int> source(length);
        std::vector<int> target(length + 1);
        for (int& id : source) id = word();
        for (int& id : target) id = word();
        target.front() = BOS;
        target.push_back(EOS);
        batch.sources.push_back(std::move(source));
        batch.targets.push_back(std::move(target));
    }
    return batch;
}

double milliseconds_of_a_step(simd::Executor& executor, Training& training, const Batch& batch) {
    constexpr float kRate = 1e-4F;
    const auto begin = std::chrono::steady_clock::now();
    training.step(executor, batch, kRate);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<double> ratios(const std::vector<double>& numerators, const std::vector<double>& denominators) {
    std::vector<double> result;
    for (std::size_t i = 0; i < numerators.size(); ++i) result.push_back(numerators[i] / denominators[i]);
    return result;
}

/// What attention adds to the time of a training step, and what dot saves compared with additive. Models of style
/// bahdanau that differ only in the score, and one without attention, take turns in one process, so that other load on
/// the machine affects all of them. Ratios are taken within a round, and the median of all rounds is reported. Source
/// and target have the same length, and the share of attention grows with it, since its work is the product of both
/// lengths.
Report cost(const CostOptions& options, const Tools& tools) {
    if (options.hidden % 2 != 0) throw UsageError("--hidden must be even: both directions share it");
    std::vector<std::unique_ptr<Training>> trainings;
    for (const Score score : kMeasured) {
        TrainingOptions training_options;
        training_options.seed = options.seed;
        trainings.push_back(std::make_unique<Training>(configuration_of(options, score), training_options));
    }

    Report report;
    report.json["experiment"] = "cost";
    report.json["hidden"] = options.hidden;
    report.json["vocabulary"] = options.vocabulary;
    report.json["batch"] = options.batch;
    report.json["rounds"] = options.rounds;
    report.json["threads"] = tools.executor.workers();
    report.json["instruction_set"] = simd::instruction_set();
    report.chart.kind = Chart::Kind::bars;
    report.chart.title = "What attention adds to a training step";
    report.chart.subtitle = fmt::format("Time of a step relative to a model without attention; {} units, batch of {}",
                                        options.hidden, options.batch);
    report.chart.x_label = "words of source and target";
    report.chart.y_label = "relative time";
    for (const Score score : kMeasured) report.chart.series.push_back({label(score), {}, score == Score::none});

    const OnWork progress = tools.begin("measuring", std::size(kLengths) * options.rounds);
    std::size_t done = 0;
    for (const std::size_t length : kLengths) {
        const Batch batch = random_batch(options, length);
        std::vector<std::vector<double>> times(std::size(kMeasured));
        for (const auto& training : trainings)
            milliseconds_of_a_step(tools.executor, *training, batch);  // memory is fetched
        for (std::size_t round = 0; round < options.rounds; ++round) {
            for (std::size_t m = 0; m < times.size(); ++m) {
                times[m].push_back(milliseconds_of_a_step(tools.executor, *trainings[m], batch));
            }
            progress(++done, "");
        }
        nlohmann::ordered_json entry{{"length", length}};
        for (std::size_t m = 0; m < times.size(); ++m) {
            const double relative = median(ratios(times[m], times[0]));
            entry["milliseconds"][kind(kMeasured[m]).name] = figure(median(times[m]));
            if (m > 0) entry["times_no_attention"][kind(kMeasured[m]).name] = figure(relative);
            report.chart.series[m].points.emplace_back(static_cast<double>(report.chart.categories.size()), relative);
        }
        entry["dot_of_additive"] = figure(median(ratios(times[2], times[1])));
        report.json["lengths"].push_back(std::move(entry));
        report.chart.categories.push_back(std::to_string(length));
    }
    return report;
}

}  // namespace

Experiment cost_experiment() {
    return {"cost", "what attention adds to a training step, and what dot saves compared with additive",
            "Three models that differ in the attention alone take turns, step by step, at several lengths; the medians "
            "are\n"
            "told. --threads matters here: figures are of as many threads as are given.",
            [](CLI::App& command) -> Run {
                const auto options = std::make_shared<CostOptions>();
                add_whole_number(command, "--hidden", options->hidden, {4, 4096}, "units of all layers");
                add_whole_number(command, "--vocabulary", options->vocabulary, {8, 1'000'000}, "words of both sides");
                add_whole_number(command, "--batch", options->batch, {1, 10'000}, "pairs of a batch");
                add_whole_number(command, "--rounds", options->rounds, {1, 100'000},
                                 "timed steps of each model at each length");
                add_seed(command, options->seed, "of weights and data");
                return [options](const Tools& tools) { return cost(*options, tools); };
            }};
}

}  // namespace softalign::lab
