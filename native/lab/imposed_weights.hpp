#pragma once

#include "core/model/teacher_forcing.hpp"

namespace softalign::lab {

/// One sentence fed to a model, each step of which can be repeated with other weights.
class ImposableSentence {
  public:
    /// @param model with attention   @param target BOS … EOS
    ImposableSentence(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source,
                      const std::vector<int>& target);

    std::size_t steps() const { return run_.pass.layout.rows(); }
    std::size_t positions() const { return batch_.encoded.source.length(0); }
    /// The model's own weights of a step. [S]
    const float* weights(std::size_t step) const { return row(run_.pass.trace.weights, step); }

    /// The next word's distribution at a step that reads the source with these weights.
    /// @param weights [R, S], a row for every reading   @return [R, V] probabilities
    Matrix distributions(simd::Executor& executor, std::size_t step, const Matrix& weights) const;

  private:
    const Seq2Seq& model_;
    EncodedBatch batch_;
    TeacherForcedRun run_;
};

}  // namespace softalign::lab
