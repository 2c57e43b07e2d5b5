// The one list of kernels, each with its result, name, parameters and arguments. SOFTALIGN_KERNEL, defined by the file
// that includes it, turns a row into a declaration, a place in the table of an instruction set, or a call.

// Element-wise -------------------------------------------------------------------------------------------------------

/// y_i = tanh(x_i), at most 2.5 units in the last place from the true value. In place is allowed.
SOFTALIGN_KERNEL(void, tanh, (const float* x, float* y, std::size_t n), (x, y, n))
/// y_i = x_i * (1 - t_i²): the backward of tanh from its own output t. In place (y = x) is allowed.
SOFTALIGN_KERNEL(void, tanh_backward, (const float* x, const float* t, float* y, std::size_t n), (x, t, y, n))
/// y += a x
SOFTALIGN_KERNEL(void, add_scaled, (float a, const float* x, float* y, std::size_t n), (a, x, y, n))
/// y += x
SOFTALIGN_KERNEL(void, add, (const float* x, float* y, std::size_t n), (x, y, n))
/// y *= x
SOFTALIGN_KERNEL(void, multiply_elements, (const float* x, float* y, std::size_t n), (x, y, n))
/// y = a y
SOFTALIGN_KERNEL(void, scale, (float a, float* y, std::size_t n), (a, y, n))
SOFTALIGN_KERNEL(float, dot, (const float* x, const float* y, std::size_t n), (x, y, n))
/// Sum of squares, accumulated in double precision.
SOFTALIGN_KERNEL(double, sum_of_squares, (const float* x, std::size_t n), (x, n))
/// Index of the first greatest element; n > 0.
SOFTALIGN_KERNEL(std::size_t, argmax, (const float* x, std::size_t n), (x, n))

// Cells of recurrent layers ------------------------------------------------------------------------------------------

/// LSTM, one row; gates in the order i, f, g, o. `gates` [4 H] holds pre-activations and is overwritten with the
/// activations sigmoid(i), sigmoid(f), tanh(g), sigmoid(o).   c = f * previous_c + i * g,  tanh_c = tanh(c),  h = o *
/// tanh_c.   `c` may be `previous_c`.
SOFTALIGN_KERNEL(void, lstm_cell,
                 (float* gates, const float* previous_c, float* c, float* tanh_c, float* h, std::size_t hidden),
                 (gates, previous_c, c, tanh_c, h, hidden))

/// Backward of one row. `gates` [4 H] holds the activations and is overwritten with the gradients of the
/// pre-activations. `dh` [H] is the loss's gradient of h; `dc` [H] comes in as the gradient of c from later steps and
/// leaves as the gradient of previous_c.
SOFTALIGN_KERNEL(void, lstm_cell_backward,
                 (float* gates, const float* previous_c, const float* tanh_c, const float* dh, float* dc,
                  std::size_t hidden),
                 (gates, previous_c, tanh_c, dh, dc, hidden))

/// GRU, one row; gates in the order r, z, n. `gates` [3 H] holds the input's product and is overwritten with the
/// activations; `recurrent` [3 H] holds the state's, with its bias.   n = tanh(gate + r * recurrent),
/// h = (1 - z) * n + z * previous_h.   `h` may be `previous_h`.
SOFTALIGN_KERNEL(void, gru_cell,
                 (float* gates, const float* recurrent, const float* previous_h, float* h, std::size_t hidden),
                 (gates, recurrent, previous_h, h, hidden))

/// Backward of one row. `gates` and `recurrent` are overwritten with the gradients of the two products. `dh` [H] comes
/// in as the loss's gradient of h and leaves as what reaches previous_h past its product.
SOFTALIGN_KERNEL(void, gru_cell_backward,
                 (float* gates, float* recurrent, const float* previous_h, float* dh, std::size_t hidden),
                 (gates, recurrent, previous_h, dh, hidden))

// Attention of one sentence and one query ----------------------------------------------------------------------------

/// energies_i = v · tanh(keys_i + query), [S]. The tanh is approximate: absolute error at most 1e-6 (tested).
SOFTALIGN_KERNEL(void, additive_energies, (const AdditiveEnergies& of, float* energies), (of, energies))
/// Adds to dkeys [S, A], dquery [A] and dv [A] what denergies [S] contribute; tanh is computed again, not stored.
SOFTALIGN_KERNEL(void, additive_energies_backward,
                 (const AdditiveEnergies& forward, const float* denergies, const AdditiveGradients& to),
                 (forward, denergies, to))
/// y_i = scale * (rows_i · x); rows [S, K], x [K].
SOFTALIGN_KERNEL(void, rows_dot,
                 (const float* rows, const float* x, float scale, float* y, std::size_t positions, std::size_t size),
                 (rows, x, scale, y, positions, size))
/// y = sum_i weights_i rows_i (added to y when `accumulate`); rows [S, K], y [K].
SOFTALIGN_KERNEL(void, weighted_sum,
                 (const float* weights, const float* rows, float* y, std::size_t positions, std::size_t size,
                  bool accumulate),
                 (weights, rows, y, positions, size, accumulate))
/// rows_i += weights_i x; rows [S, K], x [K].
SOFTALIGN_KERNEL(void, add_outer,
                 (const float* weights, const float* x, float* rows, std::size_t positions, std::size_t size),
                 (weights, x, rows, positions, size))

// Softmax ------------------------------------------------------------------------------------------------------------

/// x = softmax(x) in place; n > 0.
SOFTALIGN_KERNEL(void, softmax, (float* x, std::size_t n), (x, n))
/// dx_i = y_i * (dy_i - sum_j y_j dy_j), from the softmax's output y. In place (dx = dy) is allowed.
SOFTALIGN_KERNEL(void, softmax_backward, (const float* y, const float* dy, float* dx, std::size_t n), (y, dy, dx, n))
/// log(sum_i exp(x_i)); n > 0.
SOFTALIGN_KERNEL(float, log_sum_exp, (const float* x, std::size_t n), (x, n))
/// x_i -= log_sum_exp(x), in place.
SOFTALIGN_KERNEL(void, log_softmax, (float* x, std::size_t n), (x, n))

/// Cross-entropy of one row of logits [V] against `target`, with label smoothing as in PyTorch:
///     loss = (1 - smoothing) * -log p_target + smoothing / V * sum_j -log p_j
/// Returns the loss; overwrites the logits with its gradient times `gradient_scale`.
SOFTALIGN_KERNEL(float, cross_entropy,
                 (float* logits, std::size_t vocabulary, std::size_t target, float smoothing, float gradient_scale),
                 (logits, vocabulary, target, smoothing, gradient_scale))

// Optimiser ----------------------------------------------------------------------------------------------------------

/// One step of Adam; AdamStep has its equation.
SOFTALIGN_KERNEL(void, adam, (const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t n),
                 (step, gradient, m, v, w, n))

// The processor's limit ----------------------------------------------------------------------------------------------

/// `turns` turns of independent multiply-adds on registers alone: nothing computes faster on this instruction set.
/// `sum` gets the sum of all results, so that none can be optimised away. Returns the number of multiply-adds.
SOFTALIGN_KERNEL(std::size_t, multiply_add_in_registers, (std::size_t turns, float* sum), (turns, sum))

#undef SOFTALIGN_KERNEL
