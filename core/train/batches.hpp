#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace softalign {

/// Length of a pair in the symbols that a step computes.
struct PairLength {
    std::size_t source;
    std::size_t target;
};

/// The batches of one epoch, as indices into the pairs: sentences of similar length together, at most `words` symbols
/// (source and target) in a batch, in random order. A function of (seed, epoch) alone.
/// @param words a longer pair is a batch of its own
std::vector<std::vector<std::size_t>> epoch_batches(const std::vector<PairLength>& lengths, std::size_t words,
                                                    std::uint64_t seed, std::uint64_t epoch);

}  // namespace softalign
