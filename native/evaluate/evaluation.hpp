#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/model/seq2seq.hpp"
#include "core/search/search.hpp"
#include "native/data/corpus.hpp"

namespace softalign {

/// Called with the number of finished sentences.
using OnProgress = std::function<void(std::size_t done)>;

/// How well a model predicts given translations.
struct TargetScores {
    double loss = 0;      ///< cross-entropy, mean over the target's symbols, EOS included
    double accuracy = 0;  ///< share of symbols that the model found most likely given those before them
};
TargetScores score_targets(simd::Executor& executor, const Seq2Seq& model, const std::vector<EncodedPair>& pairs,
                           const OnProgress& on_progress = {});

/// The best translation of every source (ids without BOS), as text.
std::vector<std::string> translate_sources(simd::Executor& executor, const Seq2Seq& model, const Tokenizer& target,
                                           const std::vector<EncodedPair>& pairs, const SearchOptions& options,
                                           const OnProgress& on_progress = {});

/// Indices in batches for running a model: sentences of about the same length together.
/// @param words most source symbols in a batch; a longer sentence is a batch of its own
std::vector<std::vector<std::size_t>> inference_batches(const std::vector<std::size_t>& lengths, std::size_t words);

}  // namespace softalign
