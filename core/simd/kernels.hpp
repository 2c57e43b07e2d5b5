#pragma once

#include <cstddef>
#include <cstdint>

/// Loops over plain spans. Every function is one source (`kernels.inl`) compiled for each instruction set and chosen
/// at run time. All sums run in an order that depends on the lengths alone. What running a model needs gives the same
/// bits on every instruction set; what only training needs (backward, cross-entropy, the optimiser) does so on each.
/// No function checks its arguments; pointers need no alignment; inputs and outputs do not overlap unless said.
namespace softalign::simd {

// Element-wise -------------------------------------------------------------------------------------------------------

/// y_i = tanh(x_i), at most 2.5 units in the last place from the true value. In place is allowed.
void tanh(const float* x, float* y, std::size_t n);
/// y_i = x_i * (1 - t_i²): the backward of tanh from its own output t. In place (y = x) is allowed.
void tanh_backward(const float* x, const float* t, float* y, std::size_t n);
/// y += a x
void add_scaled(float a, const float* x, float* y, std::size_t n);
/// y += x
void add(const float* x, float* y, std::size_t n);
/// y *= x
void multiply_elements(const float* x, float* y, std::size_t n);
/// y = a y
void scale(float a, float* y, std::size_t n);
float dot(const float* x, const float* y, std::size_t n);
/// Sum of squares, accumulated in double precision.
double sum_of_squares(const float* x, std::size_t n);
/// Index of the first greatest element; n > 0.
std::size_t argmax(const float* x, std::size_t n);

// LSTM cell (gates in the order i, f, g, o) --------------------------------------------------------------------------

/// One row. `gates` [4 H] holds pre-activations and is overwritten with the activations sigmoid(i), sigmoid(f),
/// tanh(g), sigmoid(o).   c = f * previous_c + i * g,  tanh_c = tanh(c),  h = o * tanh_c.   `c` may be `previous_c`.
void lstm_cell(float* gates, const float* previous_c, float* c, float* tanh_c, float* h, std::size_t hidden);

/// Backward of one row from the stored activations. `dh` [H] is the loss's gradient of h; `dc` [H] comes in as the
/// gradient of c from later steps and leaves as the gradient of previous_c; `dgates` [4 H] gets the gradients of the
/// pre-activations and may be `gates`.
void lstm_cell_backward(const float* gates, const float* previous_c, const float* tanh_c, const float* dh, float* dc,
                        float* dgates, std::size_t hidden);

// Attention of one sentence and one query ----------------------------------------------------------------------------

/// energies_i = v · tanh(keys_i + query); keys [S, A], query and v [A]. The tanh is approximate: absolute error at most
/// 1e-6 (tested).
void additive_energies(const float* keys, const float* query, const float* v, float* energies, std::size_t positions,
                       std::size_t units);
/// Adds to dkeys [S, A], dquery [A] and dv [A] what denergies [S] contribute; tanh is computed again, not stored.
void additive_energies_backward(const float* keys, const float* query, const float* v, const float* denergies,
                                float* dkeys, float* dquery, float* dv, std::size_t positions, std::size_t units);
/// y_i = scale * (rows_i · x); rows [S, K], x [K].
void rows_dot(const float* rows, const float* x, float scale, float* y, std::size_t positions, std::size_t size);
/// y = sum_i weights_i rows_i (added to y when `accumulate`); rows [S, K], y [K].
void weighted_sum(const float* weights, const float* rows, float* y, std::size_t positions, std::size_t size,
                  bool accumulate);
/// rows_i += weights_i x; rows [S, K], x [K].
void add_outer(const float* weights, const float* x, float* rows, std::size_t positions, std::size_t size);

// Softmax ------------------------------------------------------------------------------------------------------------

/// x = softmax(x) in place; n > 0.
void softmax(float* x, std::size_t n);
/// dx_i = y_i * (dy_i - sum_j y_j dy_j), from the softmax's output y. In place (dx = dy) is allowed.
void softmax_backward(const float* y, const float* dy, float* dx, std::size_t n);
/// log(sum_i exp(x_i)); n > 0.
float log_sum_exp(const float* x, std::size_t n);
/// x_i -= log_sum_exp(x), in place.
void log_softmax(float* x, std::size_t n);

/// Cross-entropy of one row of logits [V] against `target`, with label smoothing as in PyTorch:
///     loss = (1 - smoothing) * -log p_target + smoothing / V * sum_j -log p_j
/// Returns the loss; overwrites the logits with its gradient times `gradient_scale`.
float cross_entropy(float* logits, std::size_t vocabulary, std::size_t target, float smoothing, float gradient_scale);

// Optimiser ----------------------------------------------------------------------------------------------------------

/// Adam (Kingma and Ba 2015), one step: g = gradient_scale * gradient; m, v the running moments; bias corrections are
/// 1 - beta^t as computed by the caller.   w -= rate * (m / correction1) / (sqrt(v / correction2) + epsilon)
struct AdamStep {
    float gradient_scale;
    float rate;
    float beta1;
    float beta2;
    float epsilon;
    float correction1;
    float correction2;
};
void adam(const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t n);

// The processor's limit ----------------------------------------------------------------------------------------------

/// `turns` turns of independent multiply-adds on registers alone: nothing computes faster on this instruction set.
/// `sum` gets the sum of what came out, so that none can be left out. Returns how many multiply-adds there were.
std::size_t multiply_add_in_registers(std::size_t turns, float* sum);

// Which instruction set ----------------------------------------------------------------------------------------------

/// Name of the instruction set in use: "avx512", "avx2", "sse4.1", "neon", "wasm" or "scalar".
/// The best the processor has, unless the environment variable SOFTALIGN_SIMD names another one (native builds);
/// a UsageError where that one does not exist.
const char* instruction_set();

}  // namespace softalign::simd
