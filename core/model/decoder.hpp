#pragma once

#include <vector>

#include "core/model/bridge.hpp"
#include "core/model/decoder_style.hpp"
#include "core/model/decoder_trace.hpp"
#include "core/model/encoder.hpp"
#include "core/model/output_layer.hpp"
#include "core/nn/embedding.hpp"

namespace softalign {

/// The decoder, one target step at a time: a stack of recurrent layers, the style around them that attends
/// (DecoderStyle), and an output layer. R rows, E embedding, H units, F features, V target vocabulary.
class Decoder {
  public:
    /// Lays the weights out. Call it again after they change.
    template <typename Weights>
    void set(const Preparation& preparation, const Configuration& configuration,
             const ParametersOf<Weights>& parameters);

    /// The state before the first step, a row per sentence.
    DecoderState start(simd::Executor& executor, const Encoded& encoded) const;
    /// @param started what `start` gave   @param dstarted its gradient   @return the gradient of encoded.final_states
    std::vector<CellState> start_backward(simd::Executor& executor, const Encoded& encoded, const DecoderState& started,
                                          DecoderState dstarted, Parameters& gradient) const;

    /// The key side of the scores, once per batch.
    Matrix keys(simd::Executor& executor, const SourceStates& source) const;
    SourceProducts source_products(simd::Executor& executor, const SourceStates& source) const;

    /// Embeds the previous words `ids` as rows [first, first + ids.size()) of the trace, and multiplies them.
    void embed_words(const DecoderBatch& batch, const Embedding& embedding, const std::vector<int>& ids,
                     DecoderTrace& trace, std::size_t first) const;

    /// One step: rows of a trace whose words are already embedded.
    void step(const DecoderBatch& batch, const StepRows& rows) const;

    /// The energies of rows after their step. @param energies [count, S]; nothing is written without attention
    void energies(const DecoderBatch& batch, const StepRows& rows, simd::MutableMatrixView energies) const;

    /// What the head reads, for rows after their step: [count, F or readout].
    simd::MatrixView output_input(const DecoderBatch& batch, const StepRows& rows) const;
    /// @param logits [count, V] of rows after their step
    void logits(const DecoderBatch& batch, const StepRows& rows, simd::MutableMatrixView logits) const;

    const OutputLayer& output() const { return output_; }

    /// The backward of all steps of a batch, last to first.
    /// @param doutput_input [R, F or readout] gradient of what `output_input` gave
    /// @param dstates [N, K] is added to   @return the gradient of the first state, by slot
    DecoderState backward(const DecoderBatch& batch, DecoderPass& pass, Matrix doutput_input, Matrix& dstates,
                          Parameters& gradient) const;

  private:
    struct Layer {
        Projection input;  ///< of the layers above the first
        RecurrentCell cell;
    };
    const Matrix& features(const DecoderTrace& trace) const;
    CellStateView previous_state(const StepRows& rows, std::size_t layer) const;
    void step_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;

    bool is_set_ = false;
    bool feeds_ = false;
    Bridge bridge_;
    DecoderStyle style_;
    std::vector<Layer> layers_;
    OutputLayer output_;
};

}  // namespace softalign
