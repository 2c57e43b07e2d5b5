#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>

#include "core/error.hpp"
#include "core/nn/random.hpp"
#include "core/simd/kernels.hpp"
#include "native/data/corpus.hpp"
#include "native/evaluate/statistics.hpp"
#include "native/lab/compared_models.hpp"
#include "native/lab/experiment.hpp"
#include "native/lab/imposed_weights.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

namespace {

struct FaithfulnessOptions {
    ComparedModels compared;
    std::size_t sentences = 200;    ///< of the data, the first ones
    std::size_t permutations = 20;  ///< of the weights of every step
    double tolerance = 0.05;        ///< total variation up to which two outputs count as the same
    std::uint64_t seed = 1;
};

using Weights = std::vector<float>;

constexpr double kLn2 = 0.69314718055994530942;
constexpr double kBounds[] = {0, 0.25, 0.5, 0.75, 1.01};  // of the largest weight, which may round to more than 1
constexpr float kMixtures[] = {0.1F, 0.25F, 0.5F, 0.75F, 0.9F};

double total_variation(const float* p, const float* q, std::size_t size) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::abs(static_cast<double>(p[i]) - static_cast<double>(q[i]));
    return sum / 2;
}

/// Jensen-Shannon divergence in nats: 0 for the same, ln 2 for distributions that share nothing.
double divergence(const Weights& p, const Weights& q) {
    const auto term = [](double a, double middle) { return a > 0 ? a * std::log(a / middle) : 0; };
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const auto a = static_cast<double>(p[i]);
        const auto b = static_cast<double>(q[i]);
        sum += term(a, (a + b) / 2) + term(b, (a + b) / 2);
    }
    return sum / 2;
}

Weights permuted(Weights weights, const RandomStream& random, std::uint64_t& position) {
    for (std::size_t i = weights.size(); i > 1; --i) {
        std::swap(weights[i - 1],
                  weights[static_cast<std::size_t>(random.uniform(position++) * static_cast<double>(i))]);
    }
    return weights;
}

Weights without_strongest(Weights weights) {
    weights[simd::argmax(weights.data(), weights.size())] = 0;
    const float rest = std::accumulate(weights.begin(), weights.end(), 0.0F);
    if (rest <= 0) return weights;  // it had everything: nothing is read at all
    simd::scale(1 / rest, weights.data(), weights.size());
    return weights;
}

Weights mixed(const Weights& own, const Weights& other, float share) {
    Weights result(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) result[i] = (1 - share) * own[i] + share * other[i];
    return result;
}

/// The weights that a step is repeated with: first its own, then what the names say, then mixtures for the adversary.
struct Candidates {
    static constexpr std::size_t kOwn = 0;
    static constexpr std::size_t kUniform = 1;
    static constexpr std::size_t kWithoutStrongest = 2;
    static constexpr std::size_t kFirstPermutation = 3;
    std::vector<Weights> all;

    Candidates(const Weights& own, std::size_t permutations, const RandomStream& random, std::uint64_t& position) {
        const std::size_t size = own.size();
        all = {own, Weights(size, 1 / static_cast<float>(size)), without_strongest(own)};
        for (std::size_t i = 0; i < permutations; ++i) all.push_back(permuted(own, random, position));
        for (std::size_t i = 0; i < size; ++i) {
            all.emplace_back(size, 0.0F);
            all.back()[i] = 1;
        }
        const std::size_t pure = all.size();
        for (std::size_t i = kUniform; i < pure; ++i) {
            for (const float share : kMixtures) all.push_back(mixed(own, all[i], share));
        }
    }

    Matrix rows() const {
        Matrix result({all.size(), all.front().size()});
        for (std::size_t r = 0; r < all.size(); ++r) std::copy(all[r].begin(), all[r].end(), row(result, r));
        return result;
    }
};

/// How one step's output reacts to other weights.
struct StepFigures {
    double largest_weight = 0;
    double permuted = 0;  ///< total variation, the median of the permutations
    double uniform = 0;
    double without_strongest = 0;
    double adversarial = 0;  ///< divergence of the farthest weights whose output is within the tolerance
    bool permuted_changes_word = false;
};

StepFigures figures_of(simd::Executor& executor, const ImposableSentence& sentence, std::size_t step,
                       const FaithfulnessOptions& options, const RandomStream& random, std::uint64_t& position) {
    const Weights own(sentence.weights(step), sentence.weights(step) + sentence.positions());
    const Candidates candidates(own, options.permutations, random, position);
    const Matrix outputs = sentence.distributions(executor, step, candidates.rows());  // [candidates, V]
    const std::size_t vocabulary = outputs.shape(1);
    std::vector<double> moved;
    for (std::size_t r = 0; r < outputs.shape(0); ++r) {
        moved.push_back(total_variation(row(outputs, Candidates::kOwn), row(outputs, r), vocabulary));
    }
    const auto word = [&](std::size_t r) { return simd::argmax(row(outputs, r), vocabulary); };

    StepFigures result;
    result.largest_weight = static_cast<double>(*std::max_element(own.begin(), own.end()));
    const auto first = moved.begin() + static_cast<std::ptrdiff_t>(Candidates::kFirstPermutation);
    result.permuted = median({first, first + static_cast<std::ptrdiff_t>(options.permutations)});
    result.uniform = moved[Candidates::kUniform];
    result.without_strongest = moved[Candidates::kWithoutStrongest];
    result.permuted_changes_word = word(Candidates::kFirstPermutation) != word(Candidates::kOwn);
    for (std::size_t r = 0; r < moved.size(); ++r) {
        const float sum = std::accumulate(candidates.all[r].begin(), candidates.all[r].end(), 0.0F);
        if (moved[r] > options.tolerance || sum < 0.99F) continue;  // only distributions are alternatives
        result.adversarial = std::max(result.adversarial, divergence(own, candidates.all[r]));
    }
    return result;
}

std::vector<StepFigures> measure(const Tools& tools, const NamedModel& named, const std::vector<EncodedPair>& pairs,
                                 const FaithfulnessOptions& options) {
    const Seq2Seq model(named.model.description.configuration, named.model.parameters);
    const RandomStream random(options.seed, RandomUse::batch_order, 0);
    std::uint64_t position = 0;
    std::vector<StepFigures> steps;
    const OnWork progress = tools.begin(named.name, pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const ImposableSentence sentence(tools.executor, model, pairs[i].source, pairs[i].target);
        for (std::size_t t = 0; sentence.positions() > 1 && t < sentence.steps(); ++t) {
            steps.push_back(figures_of(tools.executor, sentence, t, options, random, position));
        }
        progress(i + 1, "");
    }
    if (steps.empty()) throw Error("no source has two symbols: there is nothing to permute");
    return steps;
}

struct Measure {
    const char* key;
    const char* label;
    double StepFigures::*value;
    double scale;  ///< of the bar
};
constexpr Measure kMeasures[] = {
    {"permuted", "output moves: permuted", &StepFigures::permuted, 1},
    {"uniform", "output moves: uniform", &StepFigures::uniform, 1},
    {"without_strongest", "output moves: without the strongest", &StepFigures::without_strongest, 1},
    {"adversarial_divergence", "other weights, same output (divergence / ln 2)", &StepFigures::adversarial, 1 / kLn2},
};

/// Means of the steps whose largest weight is in [least, most).
nlohmann::ordered_json summary(const std::vector<StepFigures>& steps, double least, double most) {
    std::vector<double> values[std::size(kMeasures)];
    double changed = 0;
    for (const StepFigures& step : steps) {
        if (step.largest_weight < least || step.largest_weight >= most) continue;
        for (std::size_t m = 0; m < std::size(kMeasures); ++m) values[m].push_back(step.*kMeasures[m].value);
        changed += step.permuted_changes_word ? 1 : 0;
    }
    const std::size_t count = values[0].size();
    nlohmann::ordered_json result{{"steps", count}};
    if (count == 0) return result;
    for (std::size_t m = 0; m < std::size(kMeasures); ++m) {
        result[kMeasures[m].key] = {{"mean", figure(mean(values[m]))}, {"median", figure(median(values[m]))}};
    }
    result["permuting_changes_the_word"] = figure(changed / static_cast<double>(count));
    return result;
}

/// Do the weights explain the output? Jain and Wallace, "Attention is not Explanation" (2019), asked of classifiers
/// whether the output stays when the attention is another one. Here the question is put to a translation model, step by
/// step along given translations: the weights of one step are replaced, all before it stays, and the total variation
///     TV(p, q) = 1/2 sum_w |p(w) - q(w)|
/// shows how far the distribution of the next word moves. The weights are
///     permuted     at random; the median of several permutations is a step's figure (their section 4.2.1)
///     uniform      all equal
///     without the strongest   its weight is shared out among the others
///     adversarial  as far from the model's as can be found, in Jensen-Shannon divergence (at most ln 2), at a total
///                  variation within the tolerance (their section 4.2.2). The search is plain: mixtures of the model's
///                  weights with all of the above and with every single position.
Report faithfulness(const FaithfulnessOptions& options, const Tools& tools) {
    const std::vector<NamedModel> models = options.compared.load();
    std::vector<SentencePair> pairs = read_parallel(options.compared.data);
    if (pairs.size() > options.sentences) pairs.resize(options.sentences);
    const PreparedCorpus corpus = prepare(pairs, options.compared.data);

    Report report;
    report.json["experiment"] = "faithfulness";
    report.json["sentences"] = pairs.size();
    report.json["permutations"] = options.permutations;
    report.json["tolerance"] = options.tolerance;
    report.json["seed"] = options.seed;
    report.chart.kind = Chart::Kind::bars;
    report.chart.title = "Do the weights explain the word?";
    report.chart.subtitle = fmt::format(
        "Total variation of the next word's distribution when one step's weights are others; same: at most {}",
        options.tolerance);
    report.chart.x_label = "largest weight of the step";
    report.chart.y_label = "mean over the steps";
    report.chart.y_most = 1;
    for (std::size_t b = 0; b + 1 < std::size(kBounds); ++b) {
        report.chart.categories.push_back(fmt::format("{} to {}", kBounds[b], std::min(1.0, kBounds[b + 1])));
    }

    for (const NamedModel& named : models) {
        if (named.model.description.configuration.style == Style::none) {
            throw UsageError("'" + named.name + "' has no attention, so it has no weights to change");
        }
        const std::vector<StepFigures> steps = measure(
            tools, named,
            encode(corpus, *named.model.description.source_tokenizer, *named.model.description.target_tokenizer),
            options);
        nlohmann::ordered_json entry{{"model", named.name},
                                     {"score", kind(named.model.description.configuration.score).name}};
        entry["all_steps"] = summary(steps, 0, kBounds[std::size(kBounds) - 1]);
        std::vector<Series> series;
        for (const Measure& measure : kMeasures) {
            series.push_back({(models.size() > 1 ? named.name + ", " : "") + measure.label, {}, false});
        }
        for (std::size_t b = 0; b + 1 < std::size(kBounds); ++b) {
            nlohmann::ordered_json bin = summary(steps, kBounds[b], kBounds[b + 1]);
            for (std::size_t m = 0; m < std::size(kMeasures) && bin["steps"] != 0; ++m) {
                series[m].points.emplace_back(static_cast<double>(b),
                                              kMeasures[m].scale * bin[kMeasures[m].key]["mean"].get<double>());
            }
            entry["by_largest_weight"][report.chart.categories[b]] = std::move(bin);
        }
        report.json["models"].push_back(std::move(entry));
        report.chart.series.insert(report.chart.series.end(), series.begin(), series.end());
    }
    return report;
}

}  // namespace

Experiment faithfulness_experiment() {
    return {
        "faithfulness", "whether the weights explain the output: what happens with other weights",
        "Jain and Wallace's question (2019), put to a translation model. Along given translations, the weights of one\n"
        "step are permuted, made uniform, or lose their strongest: how far does the next word's distribution move?\n"
        "And how different can weights be that leave it unchanged?\n\n"
        "Example: softalign lab faithfulness --model en-fr.safetensors --data valid.tsv.gz",
        [](CLI::App& command) -> Run {
            const auto options = std::make_shared<FaithfulnessOptions>();
            options->compared.add_options(command, "source<TAB>translation, gzipped or not");
            add_whole_number(command, "--sentences", options->sentences, {1, 1'000'000},
                             "use only this many from the start of the data");
            add_whole_number(command, "--permutations", options->permutations, {1, 1000},
                             "permutations of every step's weights");
            add_number(command, "--tolerance", options->tolerance, {0, 1},
                       "total variation up to which two outputs count as the same");
            add_seed(command, options->seed, "of the permutations");
            return [options](const Tools& tools) { return faithfulness(*options, tools); };
        }};
}

}  // namespace softalign::lab
