#include "core/search/decoding_steps.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/simd/kernels.hpp"
#include "core/symbols.hpp"

namespace softalign {

namespace {

// @param logits [V], those of PAD and BOS become never
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

std::vector<DecodingStep> decoding_steps(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source,
                                         const Given& given, std::size_t count) {
    const Configuration& configuration = model.configuration();
    const auto [target, weights] =
        checked(given, configuration, source.size(), std::numeric_limits<std::size_t>::max());
    const EncodedBatch batch = model.encode(executor, {source});
    const SourceStates& states = batch.encoded.source;
    const Decoder& decoder = model.decoder();
    const SourceProducts products = decoder.source_products(executor, states);
    const bool attends = configuration.style != Style::none;
    const std::size_t sentence = 0;

    DecoderTrace trace(configuration, target.size(), source.size());
    const DecoderState start = decoder.start(executor, batch.encoded);
    std::vector<DecodingStep> steps(target.size());
    for (std::size_t t = 0; t < target.size(); ++t) {
        const auto found = weights.find(t);
        const ForcedWeights forced = {found == weights.end() ? nullptr : found->second.data()};
        const Decoder::Previous previous = t > 0 ? decoder.previous(trace, t - 1, 1) : decoder.previous(start, 1);
        decoder.embed_words(executor, model.target_embedding(), {t > 0 ? target[t - 1] : static_cast<int>(BOS)}, trace,
                            t);
        decoder.step(executor, batch.keys, states, &sentence, previous, trace, t, 1, nullptr, &forced, &products);
        if (attends) {
            steps[t].weights.assign(row(trace.weights, t), row(trace.weights, t) + source.size());
            steps[t].energies.resize(source.size());
            decoder.energies(executor, batch.keys, states, &sentence, previous, trace, t, 1,
                             {steps[t].energies.data(), 1, source.size(), source.size()});
        }
        std::vector<float> logits(configuration.tgt_vocab);
        decoder.logits(executor, products, &sentence, trace, t, 1, {logits.data(), 1, logits.size(), logits.size()});
        steps[t].likeliest = likeliest(logits.data(), logits.size(), count);
    }
    return steps;
}

}  // namespace softalign
