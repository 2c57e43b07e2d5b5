#include "core/model/bridge.hpp"

#include <utility>

#include "core/simd/kernels.hpp"

namespace softalign {

using simd::Update;

namespace {

Matrix backward_of_one(simd::Executor& executor, const Projection& weight, const Matrix& final_state,
                       const Matrix& started, Matrix dstarted, LinearParameters& gradient) {
    for (std::size_t b = 0; b < dstarted.shape(0); ++b) {
        simd::tanh_backward(row(dstarted, b), row(started, b), row(dstarted, b), dstarted.shape(1));
    }
    weight.weight_gradient(executor, view(dstarted), view(final_state), view(gradient.weight));
    bias_gradient(executor, view(dstarted), gradient.bias);
    Matrix dfinal = matrix(dstarted.shape(0), final_state.shape(1));
    weight.backward(executor, view(dstarted), view(dfinal), Update::replace);
    return dfinal;
}

}  // namespace

template <typename Weights>
void Bridge::set(const Preparation& preparation, const Configuration& configuration,
                 const ParametersOf<Weights>& parameters) {
    exists_ = configuration.bridge;
    has_c_ = kind(configuration.cell).has_c;
    const auto set_side = [&](Side& side, const LinearParametersOf<Weights>& linear) {
        side.weight.set(preparation, linear.weight, all_columns(linear.weight));
        side.bias = linear.bias;
    };
    if (exists_) set_side(h_, parameters.bridge_h);
    if (exists_ && has_c_) set_side(c_, parameters.bridge_c);
}

template void Bridge::set(const Preparation&, const Configuration&, const Parameters&);
template void Bridge::set(const Preparation&, const Configuration&, const QuantizedParameters&);

std::vector<CellState> Bridge::forward(simd::Executor& executor, const std::vector<CellState>& final_states) const {
    if (!exists_) return final_states;
    const auto through = [&](const Side& side, const Matrix& state) {
        Matrix result = matrix(state.shape(0), side.bias.size());
        side.weight.forward(executor, view(state), view(result), Update::replace, &side.bias);
        for (std::size_t b = 0; b < result.shape(0); ++b) simd::tanh(row(result, b), row(result, b), result.shape(1));
        return result;
    };
    std::vector<CellState> started;
    for (const CellState& state : final_states) {
        started.push_back({through(h_, state.h), has_c_ ? through(c_, state.c) : matrix(state.h.shape(0), 0)});
    }
    return started;
}

std::vector<CellState> Bridge::backward(simd::Executor& executor, const std::vector<CellState>& final_states,
                                        const std::vector<CellState>& started, std::vector<CellState> dstarted,
                                        Parameters& gradient) const {
    if (!exists_) return dstarted;
    for (std::size_t l = 0; l < dstarted.size(); ++l) {
        CellState& state = dstarted[l];
        state.h = backward_of_one(executor, h_.weight, final_states[l].h, started[l].h, std::move(state.h),
                                  gradient.bridge_h);
        if (!has_c_) continue;
        state.c = backward_of_one(executor, c_.weight, final_states[l].c, started[l].c, std::move(state.c),
                                  gradient.bridge_c);
    }
    return dstarted;
}

}  // namespace softalign
