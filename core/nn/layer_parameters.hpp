#pragma once

#include "core/nn/quantize.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// How a decoder query is compared with a source state: the equations are at `Attention`.
enum class Score { none, additive, concat, general, dot, scaled_dot };

// A layer's matrices are floats (Matrix), or the 8-bit rows of a file (QuantizedMatrix), which only run.

/// y = W x + b
template <typename Weights>
struct LinearParametersOf {
    Weights weight;  ///< [out, in]
    Vector bias;     ///< [out]
};
using LinearParameters = LinearParametersOf<Matrix>;

/// One LSTM layer of one direction; gates in the order i, f, g, o.
template <typename Weights>
struct LstmParametersOf {
    Weights weight_ih;  ///< [4 H, in]
    Weights weight_hh;  ///< [4 H, H]
    Vector bias_ih;     ///< [4 H]
    Vector bias_hh;     ///< [4 H]
};
using LstmParameters = LstmParametersOf<Matrix>;

/// The attention's matrices; which are present depends on the score.
template <typename Weights>
struct AttentionParametersOf {
    Weights Wh;  ///< additive: [A, K]
    Weights Ws;  ///< additive: [A, Q]
    Weights W;   ///< concat: [A, Q + K]; general: [K, Q]
    Weights v;   ///< additive and concat: [1, A]
};
using AttentionParameters = AttentionParametersOf<Matrix>;

}  // namespace softalign
