#pragma once

#include <variant>

#include "core/model/decoder_trace.hpp"
#include "core/model/parameters.hpp"
#include "core/nn/attention.hpp"
#include "core/nn/projection.hpp"

namespace softalign {

/// Parameters however they are stored.
using AnyParameters = std::variant<const Parameters*, const QuantizedParameters*>;

/// What the backward of all steps of a batch works on, and what it adds up.
struct DecoderGradient {
    Matrix embedded;   ///< [R, E]
    Matrix features;   ///< [R, F] of what the decoder hands on
    Matrix projected;  ///< [R, A] or [R, 0]
    Matrix combined;   ///< [R, K + H] or [R, 0]
    Matrix context;    ///< [R, K] or [R, 0]
    Attention::Gradient attention;
    DecoderState state;      ///< by slot: of the state that the step's next reads, then of the one that it read
    Parameters& parameters;  ///< are added to
};

/// What the styles of a decoder do differently around its recurrent layers, one step at a time. This is `none`, the
/// plain encoder-decoder (Sutskever, Vinyals and Le 2014), whose first layer reads the previous word and whose top
/// layer is handed on. Another style is another class, which replaces some of it: DecoderStyle is one of them. Their
/// calls are resolved by type, so that a program that only runs models has none of the backward.
class PlainStyle {
  public:
    /// Lays the weights out; again after they changed.
    void set(const Preparation& preparation, const Configuration& configuration, const AnyParameters& parameters);

    /// The key side of the scores, for `DecoderBatch`.
    Matrix keys(simd::Executor& executor, const SourceStates& source) const;
    /// @param output what reads the features
    SourceProducts source_products(simd::Executor& executor, const SourceStates& source,
                                   const JoinedProjection& output) const;

    /// The product of embedded words with the input weights of the cell that reads them.
    /// @param bias of that cell, if it is the first layer
    void read_words(const DecoderBatch& batch, DecoderTrace& trace, ColumnRange rows, const Vector& bias) const;
    /// Before the layers of a step. @param bias of the first layer's input
    void before_layers(const DecoderBatch& batch, const StepRows& rows, const Vector& bias) const;
    /// The state that the first layer goes on from: in a step, and the h of it in all steps, [R, H].
    CellStateView first_layer_state(const StepRows& rows) const;
    Matrix first_layer_previous_h(const DecoderPass& pass) const;
    /// After them: the features.
    void after_layers(const DecoderBatch& batch, const StepRows& rows) const;
    /// What the decoder hands on, [R, F].
    const Matrix& features(const DecoderTrace& trace) const;

    /// The energies of rows after their step. @param energies [count, S]
    void energies(const DecoderBatch& batch, const StepRows& rows, simd::MutableMatrixView energies) const;

    // The backward, in the forward's order reversed. What stands in `gradient` is of all rows; a step is about its own.

    Attention::Gradient attention_gradient(const DecoderBatch& batch) const;
    void after_layers_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    void before_layers_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    /// After all steps: to the embedded words, the style's own parameters and what of the first layer's input weights
    /// it reads.
    void finish_backward(const DecoderBatch& batch, const DecoderPass& pass, DecoderGradient& gradient) const;

  protected:
    std::size_t hidden() const { return hidden_; }

  private:
    std::size_t hidden_;
    ColumnRange word_columns_{0, 0};  // of the first layer's input weights
    Projection word_;
};

/// Reads contexts by an attention.
class AttentiveStyle : public PlainStyle {
  public:
    void set(const Preparation& preparation, const Configuration& configuration, const AnyParameters& parameters);
    Matrix keys(simd::Executor& executor, const SourceStates& source) const;
    const Matrix& features(const DecoderTrace& trace) const;
    Attention::Gradient attention_gradient(const DecoderBatch& batch) const;

  protected:
    /// @param query what the step asks with, [count, H]
    void attend(const DecoderBatch& batch, const StepRows& rows, simd::MatrixView query) const;
    void energies_of(const DecoderBatch& batch, const StepRows& rows, simd::MatrixView query,
                     simd::MutableMatrixView energies) const;
    /// From the rows' gradients of the context. @param dquery [count, H] is added to
    void attend_backward(const DecoderBatch& batch, const StepRows& rows, simd::MatrixView query,
                         simd::MutableMatrixView dquery, DecoderGradient& gradient) const;
    /// @param queries what all steps asked with, [R, H]
    void finish_attention(const DecoderBatch& batch, const DecoderPass& pass, const Matrix& queries,
                          DecoderGradient& gradient) const;

    std::size_t state_size() const { return state_size_; }

  private:
    std::size_t state_size_;
    Attention attention_;
};

/// `bahdanau`: the query is the top state before the step, the first layer reads [embedding; context], and [h; context]
/// is handed on (Bahdanau, Cho and Bengio 2015).
class BahdanauStyle : public AttentiveStyle {
  public:
    void set(const Preparation& preparation, const Configuration& configuration, const AnyParameters& parameters);
    SourceProducts source_products(simd::Executor& executor, const SourceStates& source,
                                   const JoinedProjection& output) const;
    void before_layers(const DecoderBatch& batch, const StepRows& rows, const Vector& bias) const;
    void after_layers(const DecoderBatch& batch, const StepRows& rows) const;
    void energies(const DecoderBatch& batch, const StepRows& rows, simd::MutableMatrixView energies) const;
    void after_layers_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    void before_layers_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    void finish_backward(const DecoderBatch& batch, const DecoderPass& pass, DecoderGradient& gradient) const;

  protected:
    /// Adds the product with the rows' contexts to what the first layer reads.
    void read_context(const DecoderBatch& batch, const StepRows& rows) const;
    void read_context_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    /// @param queries what all steps asked with, [R, H]
    void finish_contexts(const DecoderBatch& batch, const DecoderPass& pass, const Matrix& queries,
                         DecoderGradient& gradient) const;

  private:
    ColumnRange context_columns_{0, 0};  // of the first layer's input weights
    JoinedProjection context_;
};

/// `luong`: the query is the top state after the step; the attentional vector tanh(combine [context; h]) is handed on
/// and, with input feeding, read by the next step (Luong, Pham and Manning 2015, 3.1 and 3.3).
class LuongStyle : public AttentiveStyle {
  public:
    void set(const Preparation& preparation, const Configuration& configuration, const AnyParameters& parameters);
    SourceProducts source_products(simd::Executor& executor, const SourceStates& source,
                                   const JoinedProjection& output) const;
    void before_layers(const DecoderBatch& batch, const StepRows& rows, const Vector& bias) const;
    void after_layers(const DecoderBatch& batch, const StepRows& rows) const;
    void energies(const DecoderBatch& batch, const StepRows& rows, simd::MutableMatrixView energies) const;
    void after_layers_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    void before_layers_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    void finish_backward(const DecoderBatch& batch, const DecoderPass& pass, DecoderGradient& gradient) const;

  private:
    bool feeds() const { return feed_columns_.count > 0; }

    ColumnRange feed_columns_{0, 0};  // of the first layer's input weights
    Projection feed_;
    JoinedProjection combine_;
};

/// `conditional`: a first cell reads the previous word, the query is its state, and the first layer goes on from that
/// state and reads the context, so that the question knows the last word; [h; context] is handed on (Sennrich et al.
/// 2017, Nematus).
class ConditionalStyle : public BahdanauStyle {
  public:
    void set(const Preparation& preparation, const Configuration& configuration, const AnyParameters& parameters);
    void read_words(const DecoderBatch& batch, DecoderTrace& trace, ColumnRange rows, const Vector& bias) const;
    void before_layers(const DecoderBatch& batch, const StepRows& rows, const Vector& bias) const;
    CellStateView first_layer_state(const StepRows& rows) const;
    Matrix first_layer_previous_h(const DecoderPass& pass) const;
    void energies(const DecoderBatch& batch, const StepRows& rows, simd::MutableMatrixView energies) const;
    void before_layers_backward(const DecoderBatch& batch, const StepRows& rows, DecoderGradient& gradient) const;
    void finish_backward(const DecoderBatch& batch, const DecoderPass& pass, DecoderGradient& gradient) const;

  private:
    Projection word_;  // into the first cell
    RecurrentCell first_;
};

using DecoderStyle = std::variant<PlainStyle, BahdanauStyle, LuongStyle, ConditionalStyle>;
void set_decoder_style(DecoderStyle& to, Style style);

/// What every row read of the step before: `start` in the first step, then the rows of the step before. [R, columns]
Matrix previous_rows(const StepLayout& layout, const Matrix& start, const Matrix& values);

}  // namespace softalign
