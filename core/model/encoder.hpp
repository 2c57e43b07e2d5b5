#pragma once

#include <vector>

#include "core/model/parameters.hpp"
#include "core/nn/attention.hpp"
#include "core/nn/dropout.hpp"
#include "core/nn/embedding.hpp"
#include "core/nn/lstm.hpp"

namespace softalign {

/// What the encoder hands to the decoder.
struct Encoded {
    SourceStates source;          ///< h_i: the top layer's outputs, both directions side by side
    std::vector<Matrix> final_h;  ///< per layer [B, K]: the final states, both directions side by side
    std::vector<Matrix> final_c;  ///< per layer [B, K]
};

/// Where a training pass drops: none of it when a model is run.
struct EncoderDropout {
    Dropout embedding;
    std::vector<Dropout> between_layers;  ///< per layer but the top
};

/// What a run over a batch leaves for its backward.
struct EncoderTrace {
    StepLayout layout;
    std::vector<std::size_t> reversed;  ///< [R] StepLayout::reversed
    std::vector<int> ids;               ///< [R]
    struct Layer {
        Matrix x;           ///< [R, I]
        Matrix x_reversed;  ///< [R, I] the same rows as the backward direction reads them
        LstmTrace forward;
        LstmTrace reverse;
    };
    std::vector<Layer> layers;
};

/// The encoder: an LSTM of one or several layers, in one or both directions, over every sentence's own true length.
class Encoder {
  public:
    /// Lays the weights out; again after they changed.
    template <typename Weights>
    void set(simd::Executor& executor, const Configuration& configuration, const ParametersOf<Weights>& parameters,
             Passes passes, simd::Precision precision);

    /// @param sources [B], each of at least one id below the source vocabulary
    /// @param trace, dropout null when the model is only run
    Encoded forward(simd::Executor& executor, const std::vector<std::vector<int>>& sources, const Embedding& embedding,
                    EncoderTrace* trace = nullptr, const EncoderDropout* dropout = nullptr) const;

    /// @param dstates [N, K] gradient of the states   @param dfinal_h, dfinal_c per layer [B, K]
    void backward(simd::Executor& executor, EncoderTrace& trace, const Encoded& encoded, const Matrix& dstates,
                  const std::vector<Matrix>& dfinal_h, const std::vector<Matrix>& dfinal_c,
                  const EncoderDropout* dropout, Parameters& gradient) const;

  private:
    struct Layer {
        LstmWeights forward;
        LstmWeights reverse;
    };
    std::vector<Layer> layers_;
    std::size_t hidden_ = 0;
    bool bidirectional_ = false;
};

}  // namespace softalign
