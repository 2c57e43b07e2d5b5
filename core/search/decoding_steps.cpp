#include "core/search/decoding_steps.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/model/stepper.hpp"
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
                                         const Imposed& imposed, std::size_t count) {
    const auto [target, weights] =
        checked(imposed, model.configuration(), source.size(), std::numeric_limits<std::size_t>::max());
    const EncodedBatch batch = model.encode_for_search(executor, {source});
    const std::size_t sentence = 0;
    Stepper stepper(model, batch.decoder(executor), model.decoder().start(executor, batch.encoded), 1);
    std::vector<DecodingStep> steps(target.size());
    for (std::size_t t = 0; t < target.size(); ++t) {
        const auto found = weights.find(t);
        const ImposedWeights row_weights = {found == weights.end() ? nullptr : found->second.data()};
        if (t > 0) stepper.keep({0});
        stepper.embed({t > 0 ? target[t - 1] : static_cast<int>(BOS)});
        stepper.step(1, &sentence, &row_weights);
        const simd::MatrixView read = stepper.weights();  // [1, S or 0]
        steps[t].weights.assign(read.data, read.data + read.columns);
        steps[t].energies.resize(read.columns);
        stepper.energies({steps[t].energies.data(), 1, read.columns, read.columns});
        std::vector<float> logits(model.configuration().tgt_vocab);
        stepper.logits({logits.data(), 1, logits.size(), logits.size()});
        steps[t].likeliest = likeliest(logits.data(), logits.size(), count);
    }
    return steps;
}

}  // namespace softalign
