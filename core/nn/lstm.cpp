#include "core/nn/lstm.hpp"

#include <algorithm>

#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::Update;

template <typename Weights>
void LstmWeights::set(simd::Executor& executor, const LstmParametersOf<Weights>& parameters, Passes passes,
                      simd::Precision precision) {
    input.set(executor, parameters.weight_ih, passes, precision, Rows::of_a_batch);
    recurrent.set(executor, parameters.weight_hh, passes, precision);
    bias = parameters.bias_ih;
    simd::add(parameters.bias_hh.data(), bias.data(), bias.size());
}

template void LstmWeights::set(simd::Executor&, const LstmParameters&, Passes, simd::Precision);
template void LstmWeights::set(simd::Executor&, const LstmParametersOf<QuantizedMatrix>&, Passes, simd::Precision);

LstmTrace lstm_forward(simd::Executor& executor, const LstmWeights& weights, const StepLayout& layout,
                       simd::MatrixView x) {
    const std::size_t rows = layout.rows();
    const std::size_t hidden = weights.recurrent.outputs() / 4;
    LstmTrace trace{Matrix({rows, 4 * hidden}), Matrix({rows, hidden}), Matrix({rows, hidden}), Matrix({rows, hidden})};
    const Vector no_state = zeros(hidden);

    weights.input.forward(executor, x, view(trace.gates), Update::replace, &weights.bias);  // [R, 4 H]
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        const std::size_t active = layout.active(t);
        if (t > 0) {
            weights.recurrent.forward(executor, view(trace.h).rows_from(layout.first[t - 1], active),
                                      view(trace.gates).rows_from(layout.first[t], active), Update::add);
        }
        for_rows(executor, active, 8 * hidden, [&](std::size_t slot) {
            const std::size_t r = layout.row(t, slot);
            const float* previous_c = t > 0 ? row(trace.c, layout.row(t - 1, slot)) : no_state.data();
            simd::lstm_cell(row(trace.gates, r), previous_c, row(trace.c, r), row(trace.tanh_c, r), row(trace.h, r),
                            hidden);
        });
    }
    return trace;
}

void final_states(const LstmTrace& trace, const StepLayout& layout, Matrix& h, Matrix& c) {
    const std::size_t hidden = trace.h.shape(1);
    h = Matrix({layout.slots(), hidden});
    c = Matrix({layout.slots(), hidden});
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        const std::size_t last = layout.row(layout.lengths[slot] - 1, slot);
        std::copy_n(row(trace.h, last), hidden, row(h, slot));
        std::copy_n(row(trace.c, last), hidden, row(c, slot));
    }
}

void add_bias_gradients(simd::Executor& executor, simd::MatrixView dgates, Vector& bias_ih, Vector& bias_hh) {
    Vector sum = zeros(dgates.columns);
    bias_gradient(executor, dgates, sum);
    simd::add(sum.data(), bias_ih.data(), sum.size());
    simd::add(sum.data(), bias_hh.data(), sum.size());
}

void lstm_backward(simd::Executor& executor, const LstmWeights& weights, const StepLayout& layout, simd::MatrixView x,
                   LstmTrace& trace, const Matrix& dh, Matrix dh_final, Matrix dc_final, LstmParameters& gradient,
                   simd::MutableMatrixView dx) {
    const std::size_t hidden = trace.h.shape(1);
    const Vector no_state = zeros(hidden);
    // A slot takes part from its last step on; until then its rows hold the gradient of its final state.
    Matrix& dh_next = dh_final;  // [B, H]
    Matrix& dc_next = dc_final;  // [B, H]
    for (std::size_t t = layout.steps(); t-- > 0;) {
        const std::size_t active = layout.active(t);
        for_rows(executor, active, 12 * hidden, [&](std::size_t slot) {
            const std::size_t r = layout.row(t, slot);
            const float* previous_c = t > 0 ? row(trace.c, layout.row(t - 1, slot)) : no_state.data();
            simd::add(row(dh, r), row(dh_next, slot), hidden);
            simd::lstm_cell_backward(row(trace.gates, r), previous_c, row(trace.tanh_c, r), row(dh_next, slot),
                                     row(dc_next, slot), row(trace.gates, r), hidden);
        });
        if (t > 0) {
            weights.recurrent.backward(executor, view(trace.gates).rows_from(layout.first[t], active),
                                       view(dh_next).rows_from(0, active), Update::replace);
        }
    }

    const simd::MatrixView dgates = view(trace.gates);  // [R, 4 H]
    weights.input.weight_gradient(executor, dgates, x, view(gradient.weight_ih));
    add_bias_gradients(executor, dgates, gradient.bias_ih, gradient.bias_hh);
    const std::size_t later_rows = layout.rows() - layout.slots();
    if (later_rows > 0) {
        Matrix previous_h({later_rows, hidden});  // what each row after the first step read
        for (std::size_t t = 1; t < layout.steps(); ++t) {
            std::copy_n(row(trace.h, layout.first[t - 1]), layout.active(t) * hidden,
                        row(previous_h, layout.first[t] - layout.slots()));
        }
        weights.recurrent.weight_gradient(executor, dgates.rows_from(layout.slots(), later_rows), view(previous_h),
                                          view(gradient.weight_hh));
    }
    weights.input.backward(executor, dgates, dx, Update::replace);
}

}  // namespace softalign
