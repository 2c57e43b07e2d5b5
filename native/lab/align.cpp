#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>

#include "core/error.hpp"
#include "native/evaluate/alignment_error.hpp"
#include "native/evaluate/forced_alignment.hpp"
#include "native/evaluate/words.hpp"
#include "native/lab/compared_models.hpp"
#include "native/lab/experiment.hpp"

namespace softalign::lab {

namespace {

constexpr int kShifts[] = {0, -1, 1};
// Words of a source: where a bin of the report ends.
constexpr std::size_t kLengthBins[] = {10, 20, 30, std::numeric_limits<std::size_t>::max()};

/// Every target word to the source word at the same share of the length.
metrics::Links diagonal(const metrics::GoldAlignment& gold) {
    metrics::Links links;
    const auto source = static_cast<double>(gold.source.size());
    const auto target = static_cast<double>(gold.target.size());
    for (std::size_t t = 0; t < gold.target.size(); ++t) {
        links.emplace(static_cast<std::size_t>((static_cast<double>(t) + 0.5) * source / target), t);
    }
    return links;
}

/// Row t becomes that of step t + shift; at the ends a word keeps the nearest row there is.
Matrix shifted(const Matrix& alignment, int shift) {
    Matrix result = alignment;
    const auto rows = static_cast<long>(alignment.shape(0));
    for (long t = 0; t < rows; ++t) {
        const auto from = static_cast<std::size_t>(std::clamp(t + shift, 0L, rows - 1));
        std::copy_n(row(alignment, from), alignment.shape(1), row(result, static_cast<std::size_t>(t)));
    }
    return result;
}

PreparedCorpus corpus_of(const std::vector<metrics::GoldAlignment>& gold, const std::string& path) {
    std::vector<SentencePair> pairs;
    for (const metrics::GoldAlignment& pair : gold) {
        pairs.push_back({metrics::join({pair.source.begin(), pair.source.end()}, " "),
                         {metrics::join({pair.target.begin(), pair.target.end()}, " ")}});
    }
    return prepare(pairs, path);
}

/// The error rate of all pairs, and of those whose source ends in each of kLengthBins.
struct Rates {
    metrics::AlignmentErrorRate all;
    std::array<metrics::AlignmentErrorRate, std::size(kLengthBins)> by_length;

    void add(const metrics::Links& links, const metrics::GoldAlignment& gold) {
        all.add(links, gold);
        const auto* bin = std::lower_bound(std::begin(kLengthBins), std::end(kLengthBins), gold.source.size());
        by_length[static_cast<std::size_t>(bin - std::begin(kLengthBins))].add(links, gold);
    }

    nlohmann::ordered_json json() const {
        nlohmann::ordered_json result{{"all", figure(all.rate())}};
        for (std::size_t i = 0; i < by_length.size(); ++i) result[bin_name(i)] = figure(by_length[i].rate());
        return result;
    }

    Series series(const std::string& name, bool reference) const {
        Series result{name, {{0.0, all.rate()}}, reference};
        for (const auto& rate : by_length) {
            result.points.emplace_back(static_cast<double>(result.points.size()), rate.rate());
        }
        return result;
    }

    static std::string bin_name(std::size_t bin) {
        const std::size_t first = bin > 0 ? kLengthBins[bin - 1] + 1 : 1;
        return bin + 1 < std::size(kLengthBins) ? fmt::format("{}-{}", first, kLengthBins[bin])
                                                : fmt::format("{}+", first);
    }
};

/// How well a translation model's attention agrees with human word alignments, although it never saw one: alignment
/// error rate (`metrics::AlignmentErrorRate`), beside a diagonal that knows only the lengths.
///
/// Which row of the alignment belongs to a word? Step t reads word t - 1 and writes word t. Both styles use the row of
/// step t for what that step writes: `bahdanau` asks with the state before the step, which has not yet read word t - 1,
/// and lets the context through the LSTM; `luong` asks with the state after the step, which has. So a word is linked by
/// the row of the step that writes it (shift 0). Taking the row of the step that reads it (shift 1), which happens if
/// rows are labelled with the decoder's inputs, or of the step before (shift -1), is an error of one word. Both are
/// measured here, since a model is free to look early or late (Koehn and Knowles 2017, section 3.5).
Report align(const ComparedModels& compared, const Tools& tools) {
    const std::vector<NamedModel> models = compared.load();
    const std::vector<metrics::GoldAlignment> gold = metrics::read_gold_alignments(compared.data);
    const PreparedCorpus corpus = corpus_of(gold, compared.data);
    Rates diagonal_rates;
    for (const metrics::GoldAlignment& pair : gold) diagonal_rates.add(diagonal(pair), pair);

    Report report;
    report.json["experiment"] = "align";
    report.json["sentences"] = gold.size();
    report.json["by"] = "words of the source";
    report.json["shifts"] = {{"-1", "row of the step before the one that writes the word"},
                             {"0", "row of the step that writes the word: what both styles mean"},
                             {"1", "row of the step that reads the word, one too late"}};
    report.json["diagonal"] = diagonal_rates.json();

    report.chart.kind = Chart::Kind::bars;
    report.chart.title = "What attention reads, against what people align";
    report.chart.subtitle =
        "Alignment error rate, 0 is perfect; shifted: a word is linked by the row of the step beside its own";
    report.chart.x_label = "words of the source";
    report.chart.y_label = "alignment error rate";
    report.chart.categories = {"all"};
    for (std::size_t i = 0; i < std::size(kLengthBins); ++i) report.chart.categories.push_back(Rates::bin_name(i));
    report.chart.y_most = 1;

    for (const NamedModel& named : models) {
        const Configuration& configuration = named.model.description.configuration;
        if (configuration.style == Style::none) {
            throw UsageError("'" + named.name + "' has no attention, so it cannot align");
        }
        const OnWork progress = tools.begin("aligning", gold.size());
        const std::vector<ForcedAlignment> pairs =
            align_forced(tools.executor, named.model, corpus, true, [&](std::size_t done) { progress(done, ""); });
        nlohmann::ordered_json entry{{"model", named.name},
                                     {"style", kind(configuration.style).name},
                                     {"score", kind(configuration.score).name}};
        for (const int shift : kShifts) {
            Rates rates;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                rates.add(strongest_links(pairs[i].source, pairs[i].target, shifted(pairs[i].alignment, shift)),
                          gold[i]);
            }
            entry["aer_by_shift"][std::to_string(shift)] = rates.json();
            const std::string label = shift == 0 ? named.name : fmt::format("{}, shifted by {:+}", named.name, shift);
            report.chart.series.push_back(rates.series(label, false));
        }
        report.json["models"].push_back(std::move(entry));
    }
    report.chart.series.push_back(diagonal_rates.series("a diagonal", true));
    return report;
}

}  // namespace

Experiment align_experiment() {
    return {
        "align", "how well attention agrees with human alignments, and which row belongs to a word",
        "Every target word is linked to the source word it was read from most, by the row of the step that writes it,\n"
        "of the step before and of the step after. The alignment error rate (0 is perfect) shows that the first is\n"
        "right in both styles. Beside them is a diagonal that knows only the lengths.\n\n"
        "Example: softalign lab align --model en-fr.safetensors --data alibi.tsv.gz",
        [](CLI::App& command) -> Run {
            const auto compared = std::make_shared<ComparedModels>();
            compared->add_options(command,
                                  "gold alignments: source words<TAB>target words<TAB>sure links<TAB>possible links");
            return [compared](const Tools& tools) { return align(*compared, tools); };
        }};
}

}  // namespace softalign::lab
