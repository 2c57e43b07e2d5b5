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
// S longest source, F features.

/// What one target step passes to the next, one row per hypothesis.
struct DecoderState {
    std::vector<CellState> layers;  ///< [R, H] each
    Matrix feed;                    ///< [R, H] the attentional vector, if it is fed; else [R, 0]
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

/// The values of many decoder rows: of one step in a search, or of all steps of a batch in training.
struct DecoderTrace {
    struct Layer {
        Matrix input;  ///< [R, H] what a layer above the first reads; else [R, 0]
        CellTrace cell;
    };
    Matrix embedded;       ///< [R, E] the previous words
    CellTrace first_cell;  ///< of the cell that reads the word, where the first layer does not; else without rows
    std::vector<Layer> layers;
    Matrix projected;   ///< [R, A] the projected queries, if the score has them; else [R, 0]
    Matrix weights;     ///< [R, S] the alignment; [R, 0] without attention
    Matrix context;     ///< [R, K], or [R, 0]
    Matrix combined;    ///< [R, K + H] luong: [context; h]
    Matrix features;    ///< [R, F] luong: the attentional vector; if the context is handed on: [h; context]
    Matrix readout_in;  ///< [R, F + E], or [R, 0] without a readout
    Matrix readout;     ///< [R, readout]
    bool feeds;         ///< whether the next step reads the features

    /// @param rows R   @param longest_source S
    DecoderTrace(const Configuration& configuration, std::size_t rows, std::size_t longest_source);

    /// The part of these rows that the next step reads.
    PreviousState state(std::size_t first, std::size_t count) const;
};

/// Products with a batch's sources, made before the first step of a search, which reads each sentence many times. If
/// they cover no sentence, every step multiplies its contexts.
struct SourceProducts {
    ContextProducts input;    ///< with the first layer's input weights
    ContextProducts combine;  ///< with `combine`
    ContextProducts output;   ///< with what reads the features: the readout or the output layer
};

/// Where a training pass applies dropout.
struct DecoderDropout {
    Dropout embedding;
    std::vector<Dropout> between_layers;  ///< for each layer but the top one
    Dropout output;                       ///< before the output layer
};

/// What every step of a batch reads: the encoder's side, once per batch.
struct DecoderBatch {
    simd::Executor& executor;
    const SourceStates& source;
    const Matrix& keys;              ///< [N, A or Q]
    const SourceProducts& products;  ///< for no sentence in training
    const DecoderDropout* dropout;   ///< null outside training

    Attention::Source attention() const { return {executor, source, keys}; }
};

/// The rows of a trace that one step writes, and the sentences they belong to.
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

    /// What a step reads from the step before it.
    PreviousState previous(std::size_t step) const;
};

}  // namespace softalign
