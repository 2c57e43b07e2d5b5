#pragma once

#include <vector>

#include "core/model/configuration.hpp"
#include "core/model/context_products.hpp"
#include "core/nn/attention.hpp"
#include "core/nn/cell.hpp"
#include "core/nn/dropout.hpp"
#include "core/nn/step_layout.hpp"

namespace softalign {

// The values that a decoder's steps read and write. R rows, E embedding, H units, K source state, A attention units,
// S the longest source, F features.

/// What one target step hands to the next, a row per hypothesis.
struct DecoderState {
    std::vector<CellState> layers;  ///< [R, H] each
    Matrix feed;                    ///< [R, H] the attentional vector, where it is fed; else [R, 0]
};
DecoderState gather_rows(const DecoderState& state, const std::vector<std::size_t>& rows);

/// Rows of such a state.
struct PreviousState {
    std::vector<CellStateView> layers;
    simd::MatrixView feed;

    PreviousState rows_from(std::size_t first, std::size_t count) const;
};
PreviousState view(const DecoderState& state);
DecoderState gather_rows(const PreviousState& state, const std::vector<std::size_t>& rows);

/// The values of many decoder rows: of one step in a search, of all steps of a batch in training.
struct DecoderTrace {
    struct Layer {
        Matrix input;  ///< [R, H] what a layer above the first reads; else [R, 0]
        CellTrace cell;
    };
    Matrix embedded;  ///< [R, E] the previous words
    std::vector<Layer> layers;
    Matrix projected;   ///< [R, A] the projected queries, where the score has them; else [R, 0]
    Matrix weights;     ///< [R, S] the alignment; [R, 0] without attention
    Matrix context;     ///< [R, K], or [R, 0]
    Matrix combined;    ///< [R, K + H] luong: [context; h]
    Matrix features;    ///< [R, F] luong: the attentional vector; where the context is handed on: [h; context]
    Matrix readout_in;  ///< [R, F + E], or [R, 0] without a readout
    Matrix readout;     ///< [R, readout]
    bool feeds;         ///< whether the next step reads the features

    /// @param rows R   @param longest_source S
    DecoderTrace(const Configuration& configuration, std::size_t rows, std::size_t longest_source);

    /// What the step after these rows reads of them.
    PreviousState state(std::size_t first, std::size_t count) const;
};

/// What the decoder has multiplied of a batch's sources before its first step, for searches: there a sentence is read
/// many times. Where it is of no sentence, every step multiplies its contexts.
struct SourceProducts {
    ContextProducts input;    ///< with the first layer's input weights
    ContextProducts combine;  ///< with `combine`
    ContextProducts output;   ///< with what reads the features: the readout or the output layer
};

/// Where a training pass drops.
struct DecoderDropout {
    Dropout embedding;
    std::vector<Dropout> between_layers;  ///< per layer but the top
    Dropout output;                       ///< before the output layer
};

/// What every step of a batch reads: the encoder's side, once per batch.
struct DecoderBatch {
    simd::Executor& executor;
    const SourceStates& source;
    const Matrix& keys;              ///< [N, A or Q]
    const SourceProducts& products;  ///< of no sentence in training
    const DecoderDropout* dropout;   ///< null when the model is only run

    Attention::Source attention() const { return {executor, source, keys}; }
};

/// The rows of a trace that one step writes, and whose they are.
struct StepRows {
    DecoderTrace& trace;
    std::size_t first;
    std::size_t count;
    const std::size_t* sentence;  ///< [count]
    const PreviousState& previous;
    const ImposedWeights* imposed;  ///< null, or rows that replace the softmax

    simd::MutableMatrixView of(Matrix& matrix) const { return view(matrix).rows_from(first, count); }
    CellRows of(CellTrace& cell) const { return {cell, first, count}; }
    ContextProducts::Readers readers() const { return {sentence, of(trace.weights)}; }
};

/// All steps of a batch whose targets are known.
struct DecoderPass {
    StepLayout layout;     ///< of the targets
    std::vector<int> ids;  ///< [R] the words read
    DecoderState start;    ///< the first state, by slot
    DecoderTrace trace;

    /// What a step reads of the step before it.
    PreviousState previous(std::size_t step) const;
};

}  // namespace softalign
