#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/model/seq2seq.hpp"
#include "core/search/imposed.hpp"

namespace softalign {

struct SearchOptions {
    std::size_t beam = 1;         ///< 1: greedy
    std::size_t nbest = 1;        ///< hypotheses returned, at most `beam`
    float length_penalty = 1.0F;  ///< alpha: a score is the sum of log-probabilities / length^alpha
    std::size_t max_source = 0;   ///< tokens of a source; 0: any number
    std::size_t max_length = 0;   ///< steps, EOS included; 0: 2 S + 5 for a source of S tokens, at most
                                  ///< 2^26 / (S beam) + 1, so that its alignments fit into memory
    Imposed imposed = {};         ///< on every sentence
};

/// One translation of a sentence.
struct Hypothesis {
    std::vector<int> ids;                       ///< without BOS; ends with EOS when finished
    bool finished = false;                      ///< false if the length limit cut it off
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

/// Translates a batch, one target step of all sentences at a time, so that the caller can stop in between.
/// A sentence's result does not depend on the rest of its batch.
class Search {
  public:
    /// Throws UsageError for impossible options. `model` and `executor` outlive the search.
    Search(const Seq2Seq& model, simd::Executor& executor, const std::vector<std::vector<int>>& sources,
           const SearchOptions& options);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    /// Takes one step. @return whether there is another
    bool advance();

    /// What the search of each sentence has found so far, best first.
    std::vector<std::vector<Hypothesis>> hypotheses() const;
    /// For each sentence every word that was in the beam, a parent before its children.
    std::vector<std::vector<SearchNode>> trees() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A search from its first step to its last.
std::vector<std::vector<Hypothesis>> search(const Seq2Seq& model, simd::Executor& executor,
                                            const std::vector<std::vector<int>>& sources, const SearchOptions& options);

}  // namespace softalign
