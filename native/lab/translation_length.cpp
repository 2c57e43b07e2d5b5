#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "native/evaluate/bleu.hpp"
#include "native/evaluate/evaluation.hpp"
#include "native/evaluate/words.hpp"
#include "native/lab/compared_models.hpp"
#include "native/lab/experiment.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

namespace {

struct TranslationLengthOptions {
    ComparedModels compared;
    SearchOptions search;
    std::size_t least = 30;  ///< sentences of a bin; a bin of fewer is joined with the next shorter one
};

constexpr std::size_t kBinEnds[] = {3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30};

/// Sentences whose sources have about the same length.
struct Bin {
    std::size_t shortest = 0;  ///< words
    std::size_t longest = 0;
    std::vector<std::size_t> sentences;
    double mean_length = 0;
};

std::vector<Bin> bins_of(const std::vector<std::string>& sources, std::size_t least) {
    std::vector<std::size_t> lengths;
    for (const std::string& source : sources) lengths.push_back(metrics::split_words(source).size());
    std::vector<Bin> bins;
    std::size_t shortest = 1;
    for (std::size_t end = 0; end <= std::size(kBinEnds); ++end) {
        const bool open = end == std::size(kBinEnds);
        const std::size_t longest = open ? *std::max_element(lengths.begin(), lengths.end()) : kBinEnds[end];
        Bin bin{shortest, longest, {}, 0};
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            if (lengths[i] >= shortest && lengths[i] <= longest) bin.sentences.push_back(i);
        }
        shortest = longest + 1;
        if (bin.sentences.empty()) continue;
        if (!bins.empty() && std::min(bin.sentences.size(), bins.back().sentences.size()) < least) {
            bins.back().longest = bin.longest;
            bins.back().sentences.insert(bins.back().sentences.end(), bin.sentences.begin(), bin.sentences.end());
        } else {
            bins.push_back(std::move(bin));
        }
    }
    for (Bin& bin : bins) {
        for (const std::size_t i : bin.sentences) bin.mean_length += static_cast<double>(lengths[i]);
        bin.mean_length /= static_cast<double>(bin.sentences.size());
    }
    return bins;
}

double bleu_of(const std::vector<std::string>& translations, const std::vector<SentencePair>& pairs,
               const std::vector<std::size_t>& sentences) {
    metrics::Bleu bleu;
    for (const std::size_t i : sentences) bleu.add(translations[i], pairs[i].targets);
    return bleu.score();
}

/// BLEU of real sentences by source length (Bahdanau, Cho and Bengio 2015, figure 2; Luong, Pham and Manning
/// 2015, figure 6), against all references that the data has.
Report translation_length(const TranslationLengthOptions& options, const Tools& tools) {
    const std::vector<NamedModel> models = options.compared.load();
    const std::vector<SentencePair> pairs = read_parallel(options.compared.data);
    const PreparedCorpus corpus = prepare(pairs, options.compared.data);
    const std::vector<Bin> bins = bins_of(corpus.sources, options.least);

    Report report;
    report.json["experiment"] = "translation-length";
    report.json["sentences"] = pairs.size();
    report.json["beam"] = options.search.beam;
    for (const Bin& bin : bins) {
        report.json["bins"].push_back({{"words", {bin.shortest, bin.longest}},
                                       {"mean_words", figure(bin.mean_length)},
                                       {"sentences", bin.sentences.size()}});
    }
    report.chart.title = "Translation quality by the length of the source";
    report.chart.subtitle =
        fmt::format("BLEU of {} sentences against all references, beam {}", pairs.size(), options.search.beam);
    report.chart.x_label = "words of the source, mean of a bin";
    report.chart.y_label = "BLEU";
    report.chart.y_most = 1;

    for (const NamedModel& named : models) {
        const Seq2Seq model(named.model.description.configuration, named.model.parameters);
        const auto encoded =
            encode(corpus, *named.model.description.source_tokenizer, *named.model.description.target_tokenizer);
        const OnWork progress = tools.begin(named.name, pairs.size());
        const std::vector<std::string> translations =
            translate_sources(tools.executor, model, *named.model.description.target_tokenizer, encoded, options.search,
                              [&](std::size_t done) { progress(done, ""); });
        std::vector<std::size_t> all(pairs.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        std::vector<double> scores;
        Series series{named.name, {}, false};
        for (const Bin& bin : bins) {
            scores.push_back(bleu_of(translations, pairs, bin.sentences));
            series.points.emplace_back(bin.mean_length, scores.back());
        }
        report.json["models"].push_back({{"model", named.name},
                                         {"score", kind(named.model.description.configuration.score).name},
                                         {"bleu", figure(bleu_of(translations, pairs, all))},
                                         {"bleu_by_bin", figures(scores)}});
        report.chart.series.push_back(std::move(series));
    }
    return report;
}

}  // namespace

Experiment translation_length_experiment() {
    return {"translation-length", "BLEU by source length, for one or several models",
            "Example: softalign lab translation-length --model en-fr.safetensors --model en-fr-none.safetensors\n"
            "             --data valid.refs.tsv.gz",
            [](CLI::App& command) -> Run {
                const auto options = std::make_shared<TranslationLengthOptions>();
                options->compared.add_options(command, "source<TAB>reference[<TAB>references], gzipped or not");
                add_search(command, options->search);
                add_whole_number(command, "--least", options->least, {1, 1'000'000},
                                 "fewest sentences of a bin; smaller ones are joined with the one before");
                return [options](const Tools& tools) { return translation_length(*options, tools); };
            }};
}

}  // namespace softalign::lab
