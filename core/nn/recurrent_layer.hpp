#pragma once

#include <vector>

#include "core/nn/cell.hpp"
#include "core/nn/projection.hpp"
#include "core/nn/step_layout.hpp"

namespace softalign {

/// One recurrent layer in one direction over a batch of sentences, starting from zeros. R rows in all (StepLayout),
/// B slots, H units, I inputs.
class RecurrentLayer {
  public:
    /// What a forward pass over a batch keeps for its backward pass.
    struct Trace {
        Matrix x;  ///< [R, I] the inputs
        CellTrace cell;
    };

    template <typename Weights>
    void set(const Preparation& preparation, Cell cell, const CellParametersOf<Weights>& parameters);

    /// Runs over all sentences; the input products of all steps are one product. @param x [R, I]
    Trace forward(simd::Executor& executor, const StepLayout& layout, Matrix x) const;

    /// The last state of every slot, [B, H].
    CellState final_state(const StepLayout& layout, const Trace& trace) const;

    /// The steps are visited last to first. @return the gradient of the inputs, [R, I]
    /// @param dh [R, H] gradient of the outputs   @param dfinal [B, H] gradient of the final states
    /// @param gradient is added to
    Matrix backward(simd::Executor& executor, const StepLayout& layout, Trace& trace, const Matrix& dh,
                    CellState dfinal, CellParameters& gradient) const;

  private:
    Projection input_;  // W_ih
    RecurrentCell cell_;
};

}  // namespace softalign
