#pragma once

#include <cstddef>
#include <vector>

#include "core/search/search.hpp"

namespace softalign {

/// The search for one sentence, which takes the model's scores step by step. A step keeps the `beam` best continuations
/// of its live hypotheses; those that end leave the beam for good, the others live on. A beam of one is greedy search.
class SentenceSearch {
  public:
    /// Throws UsageError if the options impose something impossible on this sentence.
    SentenceSearch(std::size_t source_length, const SearchOptions& options, const Configuration& configuration);

    /// Number of hypotheses that can still grow, each one decoder row.
    std::size_t live() const { return live_.size(); }
    /// The word that the next step of a live hypothesis reads.
    int last_id(std::size_t live) const;
    /// The weights imposed on the next step; null if they are the model's own.
    const float* imposed_weights() const;

    /// Takes the logits [live, V] of every live hypothesis (those of PAD and BOS are set to minus infinity) and its
    /// weights over the source [live, S], which may have no columns.
    /// @return for every hypothesis that lives on, the live one it grew from
    std::vector<std::size_t> advance(simd::MutableMatrixView logits, simd::MatrixView weights);

    /// The best hypotheses found, best first.
    std::vector<Hypothesis> hypotheses() const;
    /// Every word that was in the beam.
    const std::vector<SearchNode>& tree() const { return nodes_; }

  private:
    /// A hypothesis that can still grow.
    struct Live {
        std::size_t node;
        float total;
    };
    struct Candidate {
        std::size_t live;  ///< which of the live hypotheses grows
        int id;
        float log_probability;
        float total;
    };
    struct Finished {
        std::size_t node;
        std::size_t length;
        bool ended;  ///< with EOS, not cut by the length limit
    };
    // Greatest first; of equals, the one found first.
    static bool better(const Candidate& a, const Candidate& b) { return a.total > b.total; }

    std::vector<Candidate> best_candidates(simd::MutableMatrixView logits) const;
    bool can_still_win() const;
    Hypothesis hypothesis(const Finished& finished) const;

    SearchOptions options_;
    std::size_t source_length_;
    std::size_t max_length_;
    Imposed imposed_;
    std::size_t length_ = 0;
    std::vector<Live> live_;
    std::vector<SearchNode> nodes_;
    std::vector<std::vector<float>> alignments_;  ///< of every node, [S or 0]
    std::vector<Finished> finished_;
};

}  // namespace softalign
