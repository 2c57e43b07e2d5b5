#pragma once

#include <vector>

#include "core/model/context_products.hpp"
#include "core/model/encoder.hpp"
#include "core/model/parameters.hpp"
#include "core/nn/attention.hpp"
#include "core/nn/dropout.hpp"
#include "core/nn/projection.hpp"

namespace softalign {

/// What one target step hands to the next, a row per hypothesis.
struct DecoderState {
    std::vector<Matrix> h;  ///< per layer [R, H]
    std::vector<Matrix> c;  ///< per layer [R, H]
    Matrix feed;            ///< [R, H] the attentional vector, where it is fed; else empty
};

/// Where a training pass drops: none of it when a model is run.
struct DecoderDropout {
    Dropout embedding;
    std::vector<Dropout> between_layers;  ///< per layer but the top
    Dropout output;                       ///< before the output layer
};

/// The values of many decoder rows: of one step in a search, of all steps of a batch in training.
struct DecoderTrace {
    Matrix embedded;  ///< [R, E] the previous words
    struct Layer {
        Matrix input;   ///< [R, H] what a layer above the first reads
        Matrix gates;   ///< [R, 4 H] activations; the backward pass turns them into gradients of the pre-activations
        Matrix c;       ///< [R, H]
        Matrix tanh_c;  ///< [R, H]
        Matrix h;       ///< [R, H]
    };
    std::vector<Layer> layers;
    Matrix projected;    ///< [R, A] the projected queries, where the score has them
    Matrix weights;      ///< [R, S] the alignment
    Matrix context;      ///< [R, K]
    Matrix combined;     ///< [R, K + H] luong: [context; h]
    Matrix attentional;  ///< [R, H] luong
    Matrix joined;       ///< [R, H + K] bahdanau: [h; context]
    Matrix readout_in;   ///< [R, F + E]
    Matrix readout;      ///< [R, readout]

    /// @param rows R   @param longest_source S
    DecoderTrace(const Configuration& configuration, std::size_t rows, std::size_t longest_source);
};

/// What the decoder has multiplied of a batch's sources before its first step, for searches: there a sentence is read
/// many times. Without it every step multiplies its contexts.
struct SourceProducts {
    ContextProducts lstm;    ///< bahdanau: with the LSTM's input weights
    ContextProducts output;  ///< with the weights that read the context above the LSTM
};

/// The decoder: one target step at a time.
///
/// `bahdanau`: the query is the top state before the step, the LSTM reads [embedding; context], the output layer [h;
/// context] (Bahdanau, Cho and Bengio 2015). `luong`: the query is the top state after the step, and the attentional
/// vector tanh(combine [context; h]) feeds the output layer and, with input feeding, the next step (Luong, Pham and
/// Manning 2015, 3.1 and 3.3). `none`: the plain encoder-decoder (Sutskever, Vinyals and Le 2014). R rows, E embedding,
/// H units, K source state, F features, V target vocabulary.
class Decoder {
  public:
    /// Lays the weights out; again after they changed.
    template <typename Weights>
    void set(simd::Executor& executor, const Configuration& configuration, const ParametersOf<Weights>& parameters,
             Passes passes, simd::Precision precision);

    /// The state before the first step, a row per sentence.
    DecoderState start(simd::Executor& executor, const Encoded& encoded) const;
    SourceProducts source_products(simd::Executor& executor, const SourceStates& source) const;
    /// @param started what `start` returned   @param dstart its gradient   @param dfinal_h, dfinal_c get theirs, [B, K]
    void start_backward(simd::Executor& executor, const Encoded& encoded, const DecoderState& started,
                        DecoderState& dstart, std::vector<Matrix>& dfinal_h, std::vector<Matrix>& dfinal_c,
                        Parameters& gradient) const;

    /// Embeds the previous words `ids` as rows [first, first + ids.size()) of the trace, with the first layer's
    /// product.
    void embed_words(simd::Executor& executor, const Embedding& embedding, const std::vector<int>& ids,
                     DecoderTrace& trace, std::size_t first, const DecoderDropout* dropout = nullptr) const;

    /// What a step of `count` rows reads of the step before: their first rows.
    struct Previous {
        std::vector<simd::MatrixView> h;  ///< per layer [count, H]
        std::vector<simd::MatrixView> c;  ///< per layer [count, H]
        simd::MatrixView feed;            ///< [count, H] where fed
    };
    Previous previous(const DecoderState& state, std::size_t count) const;
    Previous previous(const DecoderTrace& trace, std::size_t first, std::size_t count) const;

    /// One step: rows [first, first + count) of the trace, whose words are embedded already.
    /// @param forced null, or the weights that some of these rows read with   @param products null, or of this source
    void step(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
              const std::size_t* sentence_of_row, const Previous& previous, DecoderTrace& trace, std::size_t first,
              std::size_t count, const DecoderDropout* dropout = nullptr, const ForcedWeights* forced = nullptr,
              const SourceProducts* products = nullptr) const;

    /// The energies of rows [first, first + count) after their step, which read `previous`. @param energies [count, S]
    void energies(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
                  const std::size_t* sentence_of_row, const Previous& previous, const DecoderTrace& trace,
                  std::size_t first, std::size_t count, simd::MutableMatrixView energies) const;

    /// What the output layer reads, for rows [first, first + count) after their step.
    simd::MatrixView output_input(simd::Executor& executor, DecoderTrace& trace, std::size_t first,
                                  std::size_t count) const;
    /// @param output_input [R, F or readout]   @param logits [R, V]
    void logits(simd::Executor& executor, simd::MatrixView output_input, simd::MutableMatrixView logits) const;
    /// The logits [count, V] of rows [first, first + count) after their step with these products.
    void logits(simd::Executor& executor, const SourceProducts& products, const std::size_t* sentence_of_row,
                DecoderTrace& trace, std::size_t first, std::size_t count, simd::MutableMatrixView logits) const;

    const Attention& attention() const { return attention_; }
    const JoinedProjection& head() const { return head_; }

    /// The backward of all steps of a batch, last to first.
    /// @param doutput_input [R, F or readout] gradient of what `output_input` gave
    /// @param dstates [N, K] is added to   @param dstart gets the gradient of the first state
    void backward(simd::Executor& executor, const Matrix& keys, const SourceStates& source, const StepLayout& layout,
                  const std::vector<int>& ids, const DecoderState& start, DecoderTrace& trace, Matrix doutput_input,
                  const DecoderDropout* dropout, Matrix& dstates, DecoderState& dstart, Parameters& gradient) const;

  private:
    struct Layer {
        Projection input;  ///< of the layers above the first
        Projection recurrent;
        Vector bias;
    };
    const Matrix& features(const DecoderTrace& trace) const;
    simd::MatrixView read_out(simd::Executor& executor, const ContextProducts& products,
                              const std::size_t* sentence_of_row, DecoderTrace& trace, std::size_t first,
                              std::size_t count) const;
    void readout_backward(simd::Executor& executor, DecoderTrace& trace, const Matrix& doutput_input, Matrix& dfeatures,
                          Matrix& dembedded, Parameters& gradient) const;
    void parameter_gradients(simd::Executor& executor, const StepLayout& layout, const DecoderState& start,
                             DecoderTrace& trace, Parameters& gradient) const;

    Configuration configuration_;
    Projection bridge_h_;
    Vector bridge_h_bias_;
    Projection bridge_c_;
    Vector bridge_c_bias_;
    Projection embedding_input_;        // the first layer's W_ih, columns of the embedding
    JoinedProjection recurrent_input_;  // the first layer's W_ih, columns of the context or the fed vector
    std::vector<Layer> layers_;
    Attention attention_;
    JoinedProjection combine_;
    JoinedProjection readout_;
    Vector readout_bias_;
    JoinedProjection head_;
    Vector head_bias_;
};

}  // namespace softalign
