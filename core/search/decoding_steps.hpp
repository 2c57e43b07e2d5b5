#pragma once

#include <vector>

#include "core/model/seq2seq.hpp"
#include "core/model/stepper.hpp"
#include "core/search/imposed.hpp"

namespace softalign {

/// A word that could be written at one step. As in a search, PAD and BOS are impossible.
struct LikelyWord {
    int id;
    float log_probability;
};

/// What the decoder does at one target step.
struct DecodingStep {
    std::vector<float> energies;        ///< [S] the scores before their softmax; empty without attention
    std::vector<float> weights;         ///< [S] their softmax, or what was imposed in its place
    std::vector<LikelyWord> likeliest;  ///< best first
};

/// Goes through one translation again, to see at every step what was read and what could have been written; one target
/// step at a time, so that the caller can stop in between.
class DecodingWalk {
  public:
    /// `model` and `executor` outlive the walk.
    /// @param source [S]   @param imposed its words are the translation, without BOS; the walk ends with it
    /// @param count likely words a step
    /// Throws UsageError if a model of this configuration cannot have read or written this.
    DecodingWalk(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source, const Imposed& imposed,
                 std::size_t count);

    /// Takes one step. @return whether another is left
    bool advance();

    /// Those that were taken.
    const std::vector<DecodingStep>& steps() const { return steps_; }

  private:
    const Seq2Seq& model_;
    Imposed imposed_;
    std::size_t count_;
    EncodedBatch batch_;
    Stepper stepper_;
    std::vector<DecodingStep> steps_;
};

/// A walk from the first step to the last.
std::vector<DecodingStep> decoding_steps(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source,
                                         const Imposed& imposed, std::size_t count);

}  // namespace softalign
