#pragma once

#include <vector>

#include "core/model/seq2seq.hpp"

namespace softalign {

/// Advances a decoder from one target word to the next, for searches, the steps of a translation, teacher forcing and
/// experiments. Every step computes some rows; row r of a step continues row r of the step before, unless `keep` has
/// chosen others.
class Stepper {
  public:
    /// @param start a row for each row of the first step   @param capacity rows of all steps up to the next `keep`.
    /// `model` and everything that `batch` refers to outlive the stepper.
    Stepper(const Seq2Seq& model, const DecoderBatch& batch, DecoderState start, std::size_t capacity);
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;

    /// Embeds the words that the next rows read, of the next step or of all that follow.
    void embed(const std::vector<int>& words);
    /// Computes the next `count` rows.
    /// @param sentence [count] whose source each row reads   @param imposed null, or weights for some of the rows
    void step(std::size_t count, const std::size_t* sentence, const ImposedWeights* imposed = nullptr);
    /// The next step continues these rows of the last step, in this order. The trace starts afresh.
    void keep(const std::vector<std::size_t>& rows);

    // For the rows of the last step:

    /// @param logits [count, V]
    void logits(simd::MutableMatrixView logits);
    /// @param energies [count, S]; nothing is written without attention
    void energies(simd::MutableMatrixView energies);
    /// [count, S]; no columns without attention
    simd::MatrixView weights() const;

    DecoderTrace& trace() { return trace_; }

  private:
    StepRows rows();

    const Seq2Seq& model_;
    DecoderBatch batch_;
    DecoderState state_;    // what the first step, or the first one after `keep`, continues
    bool at_state_ = true;  // whether the next step does
    DecoderTrace trace_;
    std::size_t first_ = 0;  // of the last step's rows …
    std::size_t count_ = 0;
    const std::size_t* sentence_ = nullptr;
    const ImposedWeights* imposed_ = nullptr;
    PreviousState previous_;  // … and what they continued
    std::size_t next_ = 0;
};

}  // namespace softalign
