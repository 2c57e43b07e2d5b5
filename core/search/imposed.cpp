#include "core/search/imposed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/symbols.hpp"

namespace softalign {

namespace {

// Shares rounded to a few digits still count as a distribution.
constexpr double kRounding = 1e-2;

void check_words(const std::vector<int>& words, std::size_t vocabulary, std::size_t max_length) {
    if (words.size() > max_length) {
        throw UsageError("the imposed beginning has " + std::to_string(words.size()) +
                         " words, but the translation may have only " + std::to_string(max_length));
    }
    for (std::size_t t = 0; t < words.size(); ++t) {
        const int id = words[t];
        const bool ends_early = id == EOS && t + 1 < words.size();
        if (id <= BOS || static_cast<std::size_t>(id) >= vocabulary || ends_early) {
            throw UsageError("no translation can have target token " + std::to_string(id) + " at place " +
                             std::to_string(t + 1) + " of its beginning");
        }
    }
}

void normalise(std::vector<float>& weights, std::size_t step, std::size_t source_length) {
    const std::string what = "the imposed weights of step " + std::to_string(step + 1);
    if (weights.size() != source_length) {
        throw UsageError(what + " are " + std::to_string(weights.size()) + " numbers, but the source has " +
                         std::to_string(source_length) + " tokens");
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const bool negative = std::any_of(weights.begin(), weights.end(), [](float weight) { return !(weight >= 0); });
    if (negative || !(std::abs(sum - 1.0) <= kRounding)) {
        throw UsageError(what + " are not shares: none may be negative, and they must sum to 1");
    }
    for (float& weight : weights) weight = static_cast<float>(static_cast<double>(weight) / sum);
}

}  // namespace

Imposed checked(Imposed imposed, const Configuration& configuration, std::size_t source_length,
                std::size_t max_length) {
    check_words(imposed.words, configuration.tgt_vocab, max_length);
    if (!imposed.weights.empty() && !kind(configuration.style).attends) {
        throw UsageError("this model has no attention, so no weights can be imposed");
    }
    for (auto& [step, weights] : imposed.weights) normalise(weights, step, source_length);
    return imposed;
}

}  // namespace softalign
