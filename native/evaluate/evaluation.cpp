#include "native/evaluate/evaluation.hpp"

#include <algorithm>
#include <numeric>

#include "core/model/teacher_forcing.hpp"

namespace softalign {

namespace {

constexpr std::size_t kBatchWords = 1500;

std::vector<std::vector<std::size_t>> batches_by_source(const std::vector<EncodedPair>& pairs) {
    std::vector<std::size_t> lengths;
    for (const EncodedPair& pair : pairs) lengths.push_back(pair.source.size());
    return inference_batches(lengths, kBatchWords);
}

}  // namespace

std::vector<std::vector<std::size_t>> inference_batches(const std::vector<std::size_t>& lengths, std::size_t words) {
    std::vector<std::size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
    std::vector<std::vector<std::size_t>> batches;
    std::size_t filled = 0;
    for (const std::size_t i : order) {
        if (batches.empty() || filled + lengths[i] > words) {
            batches.emplace_back();
            filled = 0;
        }
        batches.back().push_back(i);
        filled += lengths[i];
    }
    return batches;
}

TargetScores score_targets(simd::Executor& executor, const Seq2Seq& model, const std::vector<EncodedPair>& pairs,
                           const OnProgress& on_progress) {
    double loss = 0;
    std::size_t hits = 0;
    std::size_t words = 0;
    std::size_t done = 0;
    for (const std::vector<std::size_t>& batch : batches_by_source(pairs)) {
        std::vector<std::vector<int>> sources;
        std::vector<std::vector<int>> targets;
        for (const std::size_t i : batch) {
            sources.push_back(pairs[i].source);
            targets.push_back(pairs[i].target);
        }
        const std::vector<ForcedDecoding> forced = forced_decode(executor, model, sources, targets);
        for (std::size_t b = 0; b < batch.size(); ++b) {
            for (std::size_t t = 0; t < forced[b].predicted.size(); ++t) {
                loss -= static_cast<double>(forced[b].log_probabilities[t]);
                hits += forced[b].predicted[t] == targets[b][t + 1];
            }
            words += forced[b].predicted.size();
        }
        done += batch.size();
        if (on_progress) on_progress(done);
    }
    return {loss / static_cast<double>(words), static_cast<double>(hits) / static_cast<double>(words)};
}

std::vector<std::string> translate_sources(simd::Executor& executor, const Seq2Seq& model, const Tokenizer& target,
                                           const std::vector<EncodedPair>& pairs, const SearchOptions& options,
                                           const OnProgress& on_progress) {
    std::vector<std::string> translations(pairs.size());
    std::size_t done = 0;
    for (const std::vector<std::size_t>& batch : batches_by_source(pairs)) {
        std::vector<std::vector<int>> sources;
        for (const std::size_t i : batch) sources.push_back(pairs[i].source);
        const auto found = search(model, executor, sources, options);
        for (std::size_t b = 0; b < batch.size(); ++b) {
            translations[batch[b]] = target.decode(found[b].front().ids).text;
        }
        done += batch.size();
        if (on_progress) on_progress(done);
    }
    return translations;
}

}  // namespace softalign
