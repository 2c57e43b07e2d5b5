#pragma once

#include "core/model/decoder_trace.hpp"
#include "core/model/parameters.hpp"
#include "core/nn/projection.hpp"

namespace softalign {

/// What comes after the decoder: logits = head of the features or, with a readout, of tanh(readout [features; embedding
/// of the previous word]). A tied head is the target embedding. F features, E embedding, V target vocabulary.
class OutputLayer {
  public:
    template <typename Weights>
    void set(const Preparation& preparation, const Configuration& configuration,
             const ParametersOf<Weights>& parameters);

    /// What reads the features: the readout or the head.
    const JoinedProjection& first() const { return has_readout_ ? readout_ : head_; }
    const Projection& head() const { return head_.whole(); }

    /// What the head reads, for rows after their step: [count, F or readout]. @param features of all rows
    simd::MatrixView input(const DecoderBatch& batch, const StepRows& rows, const Matrix& features) const;
    /// @param input [R, F or readout]   @param logits [R, V]
    void logits(simd::Executor& executor, simd::MatrixView input, simd::MutableMatrixView logits) const;
    /// Both in one, [count, V].
    void logits(const DecoderBatch& batch, const StepRows& rows, const Matrix& features,
                simd::MutableMatrixView logits) const;

    /// From the head's input, for all rows of a trace. @param dinput [R, F or readout]   @param dembedded is set
    /// @return the gradient of the features
    Matrix input_backward(simd::Executor& executor, const DecoderTrace& trace, Matrix dinput, Matrix& dembedded,
                          Parameters& gradient) const;

  private:
    bool has_readout_ = false;
    JoinedProjection readout_;
    Vector readout_bias_;
    JoinedProjection head_;
    Vector head_bias_;
};

}  // namespace softalign
