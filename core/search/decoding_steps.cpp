#include "core/search/decoding_steps.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/simd/kernels.hpp"
#include "core/symbols.hpp"

namespace softalign {

namespace {

// @param logits [V], those of PAD and BOS are set to minus infinity
std::vector<LikelyWord> likeliest(float* logits, std::size_t size, std::size_t count) {
    logits[PAD] = logits[BOS] = -std::numeric_limits<float>::infinity();
    const float normaliser = simd::log_sum_exp(logits, size);
    std::vector<int> ids(size - EOS);  // what follows PAD and BOS
    std::iota(ids.begin(), ids.end(), static_cast<int>(EOS));
    count = std::min(count, ids.size());
    std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
                      [&](int a, int b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
    std::vector<LikelyWord> words;
    for (std::size_t i = 0; i < count; ++i) words.push_back({ids[i], logits[ids[i]] - normaliser});
    return words;
}

}  // namespace

DecodingWalk::DecodingWalk(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source,
                           const Imposed& imposed, std::size_t count)
    : model_(model),
      imposed_(checked(imposed, model.configuration(), source.size(), std::numeric_limits<std::size_t>::max())),
      count_(count),
      batch_(model.encode_for_search(executor, {source})),
      stepper_(model, batch_.decoder(executor), model.decoder().start(executor, batch_.encoded), 1) {}

bool DecodingWalk::advance() {
    const std::size_t t = steps_.size();
    if (t == imposed_.words.size()) return false;
    const std::size_t sentence = 0;
    const auto found = imposed_.weights.find(t);
    const ImposedWeights row_weights = {found == imposed_.weights.end() ? nullptr : found->second.data()};
    if (t > 0) stepper_.keep({0});
    stepper_.embed({t > 0 ? imposed_.words[t - 1] : static_cast<int>(BOS)});
    stepper_.step(1, &sentence, &row_weights);
    DecodingStep step;
    const simd::MatrixView read = stepper_.weights();  // [1, S or 0]
    step.weights.assign(read.data, read.data + read.columns);
    step.energies.resize(read.columns);
    stepper_.energies({step.energies.data(), 1, read.columns, read.columns});
    std::vector<float> logits(model_.configuration().tgt_vocab);
    stepper_.logits({logits.data(), 1, logits.size(), logits.size()});
    step.likeliest = likeliest(logits.data(), logits.size(), count_);
    steps_.push_back(std::move(step));
    return steps_.size() < imposed_.words.size();
}

std::vector<DecodingStep> decoding_steps(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source,
                                         const Imposed& imposed, std::size_t count) {
    DecodingWalk walk(executor, model, source, imposed, count);
    while (walk.advance()) {
    }
    return walk.steps();
}

}  // namespace softalign
