#pragma once

#include <vector>

#include "core/nn/layer_parameters.hpp"
#include "core/nn/projection.hpp"
#include "core/nn/step_layout.hpp"

namespace softalign {

/// One LSTM layer of one direction over a batch of sentences (Hochreiter and Schmidhuber 1997, with a forget gate),
/// from a state of zeros:
///     i, f, o = sigmoid(...), g = tanh(...) of  W_ih x + b_ih + W_hh h + b_hh,   c' = f*c + i*g,   h' = o*tanh(c')
/// R rows in all (StepLayout), B slots, H units, I inputs.
struct LstmWeights {
    Projection input;      ///< W_ih
    Projection recurrent;  ///< W_hh
    Vector bias;           ///< [4 H] b_ih + b_hh

    template <typename Weights>
    void set(simd::Executor& executor, const LstmParametersOf<Weights>& parameters, Passes passes,
             simd::Precision precision);
};

/// What a run over a batch leaves for its backward.
struct LstmTrace {
    Matrix gates;   ///< [R, 4 H] activations; the backward pass turns them into gradients of the pre-activations
    Matrix c;       ///< [R, H]
    Matrix tanh_c;  ///< [R, H]
    Matrix h;       ///< [R, H] the outputs
};

/// Both biases are added to the same sum, so their gradients are equal: the sum of the rows of dgates.
void add_bias_gradients(simd::Executor& executor, simd::MatrixView dgates, Vector& bias_ih, Vector& bias_hh);

/// Runs over all sentences; the input products of all steps are one multiplication. @param x [R, I]
LstmTrace lstm_forward(simd::Executor& executor, const LstmWeights& weights, const StepLayout& layout,
                       simd::MatrixView x);

/// The last output and cell state of every slot. @return via h, c [B, H]
void final_states(const LstmTrace& trace, const StepLayout& layout, Matrix& h, Matrix& c);

/// The steps are visited last to first.
/// @param dh [R, H] gradient of the outputs   @param dh_final, dc_final [B, H] gradient of the final states, by slot
/// @param gradient is added to   @param dx [R, I] gets the gradient of the inputs
void lstm_backward(simd::Executor& executor, const LstmWeights& weights, const StepLayout& layout, simd::MatrixView x,
                   LstmTrace& trace, const Matrix& dh, Matrix dh_final, Matrix dc_final, LstmParameters& gradient,
                   simd::MutableMatrixView dx);

}  // namespace softalign
