#include "core/train/batches.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/nn/random.hpp"

namespace softalign {

std::vector<std::vector<std::size_t>> epoch_batches(const std::vector<PairLength>& lengths, std::size_t words,
                                                    std::uint64_t seed, std::uint64_t epoch) {
    const RandomStream random(seed, RandomUse::batch_order, epoch);
    // A little noise on the length, so that sentences are grouped differently in every epoch.
    std::vector<std::tuple<double, std::size_t, std::size_t>> keys(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        keys[i] = {static_cast<double>(lengths[i].target) + 2.0 * random.uniform(i), lengths[i].source, i};
    }
    std::sort(keys.begin(), keys.end());

    std::vector<std::vector<std::size_t>> batches;
    std::size_t filled = words;
    for (const auto& key : keys) {
        const std::size_t pair = std::get<2>(key);
        const std::size_t size = lengths[pair].source + lengths[pair].target;
        if (batches.empty() || filled + size > words) {
            batches.emplace_back();
            filled = 0;
        }
        batches.back().push_back(pair);
        filled += size;
    }
    for (std::size_t i = batches.size(); i > 1; --i) {  // Fisher and Yates
        std::swap(batches[i - 1], batches[random.bits(lengths.size() + i) % i]);
    }
    return batches;
}

}  // namespace softalign
