#pragma once

#include "core/tensor.hpp"

namespace softalign {

/// How a decoder query is compared with a source state: the equations are at `Attention`.
enum class Score { none, additive, concat, general, dot, scaled_dot };

/// y = W x + b
struct LinearParameters {
    Matrix weight;  ///< [out, in]
    Vector bias;    ///< [out]
};

/// One LSTM layer of one direction; gates in the order i, f, g, o.
struct LstmParameters {
    Matrix weight_ih;  ///< [4 H, in]
    Matrix weight_hh;  ///< [4 H, H]
    Vector bias_ih;    ///< [4 H]
    Vector bias_hh;    ///< [4 H]
};

/// The attention's matrices; which are present depends on the score.
struct AttentionParameters {
    Matrix Wh;  ///< additive: [A, K]
    Matrix Ws;  ///< additive: [A, Q]
    Matrix W;   ///< concat: [A, Q + K]; general: [K, Q]
    Matrix v;   ///< additive and concat: [1, A]
};

}  // namespace softalign
