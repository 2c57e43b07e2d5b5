#pragma once

#include <cstddef>
#include <vector>

#include "core/model/seq2seq.hpp"
#include "core/search/given.hpp"

namespace softalign {

struct SearchOptions {
    std::size_t beam = 1;         ///< 1: greedy
    std::size_t nbest = 1;        ///< hypotheses returned, at most `beam`
    float length_penalty = 1.0F;  ///< alpha: a score is the sum of log-probabilities / length^alpha
    std::size_t max_length = 0;   ///< steps, EOS included; 0: 2 S + 5 for a source of S tokens, at most 2^26 / S + 1
    Given given = {};             ///< of every sentence
};

/// One translation of a sentence.
struct Hypothesis {
    std::vector<int> ids;                       ///< without BOS; ends with EOS when finished
    bool finished = false;                      ///< false when the length limit cut it
    float log_probability = 0;                  ///< sum over the steps
    float score = 0;                            ///< log_probability / length^alpha, length counted with EOS
    std::vector<float> step_log_probabilities;  ///< [T]
    Matrix alignment;                           ///< [T, S]; empty rows ([T, 0]) where the model has no attention
    std::size_t leaf = 0;                       ///< its last word in the search's tree
};

/// A word that the search took into its beam. Hypotheses share their beginnings.
struct SearchNode {
    std::size_t parent;  ///< the word before it; its own index for a first word
    int id;
    float log_probability;  ///< of the word, given those before it
    float total;            ///< log-probability of the hypothesis up to here
    float score;            ///< total / length^alpha
};

/// Best first. Results do not depend on which sentences are searched together. Throws UsageError for options that make
/// no sense.
/// @param trees null, or gets for each sentence every word that was in the beam, a parent before its children
std::vector<std::vector<Hypothesis>> search(const Seq2Seq& model, simd::Executor& executor,
                                            const std::vector<std::vector<int>>& sources, const SearchOptions& options,
                                            std::vector<std::vector<SearchNode>>* trees = nullptr);

}  // namespace softalign
