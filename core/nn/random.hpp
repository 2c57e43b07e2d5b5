#pragma once

#include <cstddef>
#include <cstdint>

namespace softalign {

/// The purpose of a stream of random numbers, so that no two uses share one.
enum class RandomUse : std::uint64_t {
    initial_weights = 1,
    batch_order,
    teacher_forcing,
    source_embedding_dropout,
    target_embedding_dropout,
    encoder_layer_dropout,
    decoder_layer_dropout,
    output_dropout,
    word_dropout,
    source_noise,
    renaming,
    corpus_split,
};

/// Random numbers as a function of (seed, use, step, position) alone: SplitMix64's finaliser over a counter (Steele,
/// Lea and Flood 2014). Numbers do not depend on each other, so threads and resumed runs draw the same ones.
class RandomStream {
  public:
    RandomStream(std::uint64_t seed, RandomUse use, std::uint64_t step)
        : key_(mix(mix(seed + kIncrement) ^ mix(static_cast<std::uint64_t>(use) * kIncrement) ^ mix(~step))) {}

    std::uint64_t bits(std::uint64_t position) const { return mix(key_ + (position + 1) * kIncrement); }

    /// Uniform in [0, 1).
    double uniform(std::uint64_t position) const {
        return static_cast<double>(bits(position) >> 11) * (1.0 / 9007199254740992.0);  // 2^53
    }

  private:
    static constexpr std::uint64_t kIncrement = 0x9E3779B97F4A7C15ULL;

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    std::uint64_t key_;
};

}  // namespace softalign
