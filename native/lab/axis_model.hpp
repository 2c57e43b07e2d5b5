#pragma once

#include <memory>
#include <vector>

#include "core/model/teacher_forcing.hpp"
#include "core/train/training.hpp"

namespace softalign::lab {

/// The axis over which the energies [T, S] of a sentence are normalised.
enum class Axis {
    source,  ///< every target step shares out 1 over the source: attention
    target   ///< every source position shares out 1 over the target's steps: the mistake
};

/// A model of style luong and score dot whose softmax can run over either axis, for whole targets:
///     E = Q H^T,   A = softmax of E over the axis,   C = A H,   Z = tanh(combine [C; Q])
/// Q [T, hidden] the decoder's states, H [S, hidden] the encoder's; both come from the library's plain encoder-decoder.
/// With `Axis::source` it is the library's own model.
class AxisModel {
  public:
    /// @param configuration of style luong and score dot, without input feeding and readout
    /// @param parameters of it, shared; `refresh` follows their changes
    AxisModel(const Configuration& configuration, std::shared_ptr<const Parameters> parameters, Axis axis);

    void refresh(simd::Executor& executor);

    /// Adds the gradient of the batch's mean loss to `gradient`.
    BatchLoss loss_and_gradient(simd::Executor& executor, const Batch& batch, Parameters& gradient) const;

    /// What every target word reads, [T, S] a sentence.
    std::vector<Matrix> alignments(simd::Executor& executor, const Batch& batch) const;

    /// Greedy search, `steps` steps for every sentence. A softmax over the target's steps covers only those taken so
    /// far.
    /// @return without BOS
    std::vector<std::vector<int>> search(simd::Executor& executor, const std::vector<std::vector<int>>& sources,
                                         std::size_t steps) const;

  private:
    struct Pass {
        EncoderTrace encoder_trace;
        EncodedBatch batch;
        TeacherForcedRun run;            ///< its output_input are the queries [R, hidden]
        std::vector<Matrix> alignments;  ///< by slot, [T, S]
        Matrix combined;                 ///< [R, 2 hidden] [context; query]
        Matrix attentional;              ///< [R, hidden]
    };
    Pass forward(simd::Executor& executor, const Batch& batch) const;
    void normalise(Matrix& energies) const;
    void attend_backward(const Pass& pass, const Matrix& dcombined, Matrix& dqueries, Matrix& dstates) const;

    std::shared_ptr<const Parameters> parameters_;
    Axis axis_;
    Seq2Seq plain_;
    Projection combine_;
};

}  // namespace softalign::lab
