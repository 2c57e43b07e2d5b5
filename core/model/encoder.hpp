#pragma once

#include <vector>

#include "core/model/parameters.hpp"
#include "core/nn/attention.hpp"
#include "core/nn/dropout.hpp"
#include "core/nn/embedding.hpp"
#include "core/nn/recurrent_layer.hpp"

namespace softalign {

/// What the encoder passes to the decoder.
struct Encoded {
    SourceStates source;                  ///< h_i: the top layer's outputs, both directions side by side
    std::vector<CellState> final_states;  ///< per layer [B, K], both directions side by side
};

/// Where a training pass applies dropout.
struct EncoderDropout {
    Dropout embedding;
    std::vector<Dropout> between_layers;  ///< for each layer but the top one
};

/// What a forward pass over a batch keeps for its backward pass.
struct EncoderTrace {
    StepLayout layout;
    std::vector<std::size_t> reversed;    ///< [R] StepLayout::reversed, if bidirectional
    std::vector<std::size_t> source_row;  ///< [R] each row's place among the source states
    std::vector<int> ids;                 ///< [R]
    struct Layer {
        RecurrentLayer::Trace forward;
        RecurrentLayer::Trace reverse;  ///< the same rows as the backward direction reads them, where bidirectional
    };
    std::vector<Layer> layers;
};

/// The encoder: one or several recurrent layers, in one or both directions, over each sentence's own length.
class Encoder {
  public:
    /// Lays the weights out. Call it again after they change.
    template <typename Weights>
    void set(const Preparation& preparation, const Configuration& configuration,
             const ParametersOf<Weights>& parameters);

    /// @param sources [B], each of at least one id below the source vocabulary
    /// @param trace, dropout null outside training
    Encoded forward(simd::Executor& executor, const std::vector<std::vector<int>>& sources, const Embedding& embedding,
                    EncoderTrace* trace = nullptr, const EncoderDropout* dropout = nullptr) const;

    /// @param dstates [N, K] gradient of the states   @param dfinal per layer [B, K] gradient of the final states
    void backward(simd::Executor& executor, EncoderTrace& trace, const Matrix& dstates,
                  const std::vector<CellState>& dfinal, const EncoderDropout* dropout, Parameters& gradient) const;

  private:
    struct Layer {
        RecurrentLayer forward;
        RecurrentLayer reverse;
    };
    std::vector<Layer> layers_;
    Cell cell_ = Cell::lstm;
    std::size_t hidden_ = 0;
    bool bidirectional_ = false;
};

}  // namespace softalign
