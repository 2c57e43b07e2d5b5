// The cells of recurrent layers, one source for every instruction set: of batch.hpp's batches, or of scalar_batch.hpp's
// one element.

#include <cstddef>

#include "core/simd/functions.inl"

namespace softalign::simd::vectorised {
namespace {

// LSTM cell ----------------------------------------------------------------------------------------------------------

void lstm_cell(float* gates, const float* previous_c, float* c, float* tanh_c, float* h, std::size_t hidden) {
    for_each_batch(hidden, [=](std::size_t j, auto at) {
        float* const gate = gates + j;
        const Batch input = sigmoid(at.load(gate));
        const Batch forget = sigmoid(at.load(gate + hidden));
        const Batch candidate = accurate_tanh(at.load(gate + 2 * hidden));
        const Batch output = sigmoid(at.load(gate + 3 * hidden));
        const Batch cell = forget * at.load(previous_c + j) + input * candidate;
        const Batch squashed = accurate_tanh(cell);
        at.store(gate, input);
        at.store(gate + hidden, forget);
        at.store(gate + 2 * hidden, candidate);
        at.store(gate + 3 * hidden, output);
        at.store(c + j, cell);
        at.store(tanh_c + j, squashed);
        at.store(h + j, output * squashed);
    });
}

void lstm_cell_backward(float* gates, const float* previous_c, const float* tanh_c, const float* dh, float* dc,
                        std::size_t hidden) {
    for_each_batch(hidden, [=](std::size_t j, auto at) {
        float* const gate = gates + j;
        const Batch input = at.load(gate);
        const Batch forget = at.load(gate + hidden);
        const Batch candidate = at.load(gate + 2 * hidden);
        const Batch output = at.load(gate + 3 * hidden);
        const Batch squashed = at.load(tanh_c + j);
        const Batch from_h = at.load(dh + j);
        const Batch dcell = at.load(dc + j) + tanh_gradient(from_h * output, squashed);
        at.store(gate, sigmoid_gradient(dcell * candidate, input));
        at.store(gate + hidden, sigmoid_gradient(dcell * at.load(previous_c + j), forget));
        at.store(gate + 2 * hidden, tanh_gradient(dcell * input, candidate));
        at.store(gate + 3 * hidden, sigmoid_gradient(from_h * squashed, output));
        at.store(dc + j, dcell * forget);
    });
}

void gru_cell(float* gates, const float* recurrent, const float* previous_h, float* h, std::size_t hidden) {
    for_each_batch(hidden, [=](std::size_t j, auto at) {
        float* const gate = gates + j;
        const float* const product = recurrent + j;
        const Batch reset = sigmoid(at.load(gate) + at.load(product));
        const Batch update = sigmoid(at.load(gate + hidden) + at.load(product + hidden));
        const Batch candidate = accurate_tanh(at.load(gate + 2 * hidden) + reset * at.load(product + 2 * hidden));
        at.store(gate, reset);
        at.store(gate + hidden, update);
        at.store(gate + 2 * hidden, candidate);
        at.store(h + j, (Batch(1.0F) - update) * candidate + update * at.load(previous_h + j));
    });
}

void gru_cell_backward(float* gates, float* recurrent, const float* previous_h, float* dh, std::size_t hidden) {
    for_each_batch(hidden, [=](std::size_t j, auto at) {
        float* const gate = gates + j;
        float* const product = recurrent + j;
        const Batch reset = at.load(gate);
        const Batch update = at.load(gate + hidden);
        const Batch candidate = at.load(gate + 2 * hidden);
        const Batch from_h = at.load(dh + j);
        const Batch dcandidate = tanh_gradient(from_h * (Batch(1.0F) - update), candidate);
        const Batch dupdate = sigmoid_gradient(from_h * (at.load(previous_h + j) - candidate), update);
        const Batch dreset = sigmoid_gradient(dcandidate * at.load(product + 2 * hidden), reset);
        at.store(gate, dreset);
        at.store(gate + hidden, dupdate);
        at.store(gate + 2 * hidden, dcandidate);
        at.store(product, dreset);
        at.store(product + hidden, dupdate);
        at.store(product + 2 * hidden, dcandidate * reset);
        at.store(dh + j, from_h * update);
    });
}

}  // namespace
}  // namespace softalign::simd::vectorised
