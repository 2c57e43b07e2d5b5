#pragma once

#include "core/simd/executor.hpp"
#include "native/lab/report.hpp"

namespace softalign::lab {

struct CostOptions {
    std::size_t hidden = 256;       ///< of the embedding, the decoder, both directions of the encoder together
    std::size_t vocabulary = 4000;  ///< of both sides
    std::size_t batch = 32;
    std::size_t rounds = 20;  ///< timed steps of each model and length
    std::uint64_t seed = 1;
};

/// What attention adds to the time of a training step, and what dot saves against additive. Models of style bahdanau
/// that differ in the score alone, and one without attention, take turns in one process, so that whatever else the
/// machine does hits all of them; ratios are taken within a round, and the median of the rounds is reported. Source and
/// target have the same length, and the attention's share grows with it: its work is the product of both.
Report cost(const CostOptions& options, simd::Executor& executor);

}  // namespace softalign::lab
