#include "core/train/batches.hpp"

#include <algorithm>
#include <set>

#include "core/nn/random.hpp"
#include "tests/catch.hpp"

using namespace softalign;

namespace {

std::vector<PairLength> lengths_of(std::size_t count) {
    const RandomStream random(1, RandomUse::batch_order, 0);
    std::vector<PairLength> lengths(count);
    for (std::size_t i = 0; i < count; ++i) {
        lengths[i] = {1 + random.bits(2 * i) % 30, 1 + random.bits(2 * i + 1) % 30};
    }
    return lengths;
}

}  // namespace

TEST_CASE("an epoch visits every pair once, in batches within the budget") {
    const std::vector<PairLength> lengths = lengths_of(1000);
    std::set<std::size_t> seen;
    for (const auto& batch : epoch_batches(lengths, 300, 1, 0)) {
        std::size_t words = 0;
        for (const std::size_t pair : batch) {
            CHECK(seen.insert(pair).second);
            words += lengths[pair].source + lengths[pair].target;
        }
        CHECK(words <= 300);
    }
    CHECK(seen.size() == lengths.size());
}

TEST_CASE("sentences of a batch are of about the same length") {
    const std::vector<PairLength> lengths = lengths_of(2000);
    for (const auto& batch : epoch_batches(lengths, 500, 1, 0)) {
        std::size_t shortest = 1000;
        std::size_t longest = 0;
        for (const std::size_t pair : batch) {
            shortest = std::min(shortest, lengths[pair].target);
            longest = std::max(longest, lengths[pair].target);
        }
        CHECK(longest - shortest <= 4);
    }
}

TEST_CASE("an epoch's batches are a function of the seed and the epoch") {
    const std::vector<PairLength> lengths = lengths_of(500);
    CHECK(epoch_batches(lengths, 200, 3, 4) == epoch_batches(lengths, 200, 3, 4));
    CHECK(epoch_batches(lengths, 200, 3, 4) != epoch_batches(lengths, 200, 3, 5));
    CHECK(epoch_batches(lengths, 200, 3, 4) != epoch_batches(lengths, 200, 4, 4));
}

TEST_CASE("a pair longer than the budget is a batch of its own") {
    const auto batches = epoch_batches({{5, 5}, {100, 100}, {5, 5}}, 50, 1, 0);
    CHECK(batches.size() == 2);
}
