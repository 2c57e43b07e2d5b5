#include "core/train/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/simd/kernels.hpp"

namespace softalign {

namespace {

// Tensors are cut into pieces of this size, the unit of work and of summation: the sums do not depend on the workers.
constexpr std::size_t kPiece = 1 << 16;

struct Piece {
    std::size_t tensor;
    std::size_t first;
    std::size_t count;
};

std::vector<Piece> pieces_of(const std::vector<ConstNamedTensor>& tensors) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        for (std::size_t first = 0; first < tensors[i].size; first += kPiece) {
            pieces.push_back({i, first, std::min(kPiece, tensors[i].size - first)});
        }
    }
    return pieces;
}

}  // namespace

double adam_step(simd::Executor& executor, const AdamOptions& options, float rate, const Parameters& gradient,
                 const AdamTarget& target) {
    const auto& [configuration, state, parameters] = target;
    const std::vector<ConstNamedTensor> gradients = named_tensors(gradient, configuration);
    const std::vector<NamedTensor> m = named_tensors(state.m, configuration);
    const std::vector<NamedTensor> v = named_tensors(state.v, configuration);
    const std::vector<NamedTensor> weights = named_tensors(parameters, configuration);
    const std::vector<Piece> pieces = pieces_of(gradients);

    std::vector<double> squares(pieces.size());
    executor.run(pieces.size(), [&](std::size_t p) {
        const Piece& piece = pieces[p];
        squares[p] = simd::sum_of_squares(gradients[piece.tensor].data + piece.first, piece.count);
    });
    double norm = 0;
    for (const double square : squares) norm += square;
    norm = std::sqrt(norm);
    if (!std::isfinite(norm)) return norm;

    ++state.steps;
    simd::AdamStep step{};
    step.gradient_scale = 1.0F;
    if (options.clip_norm > 0) {
        step.gradient_scale =
            std::min(1.0F, static_cast<float>(static_cast<double>(options.clip_norm) / (norm + 1e-6)));
    }
    step.rate = rate;
    step.beta1 = options.beta1;
    step.beta2 = options.beta2;
    step.epsilon = options.epsilon;
    const auto count = static_cast<double>(state.steps);
    step.correction1 = static_cast<float>(1.0 - std::pow(static_cast<double>(options.beta1), count));
    step.correction2 = static_cast<float>(1.0 - std::pow(static_cast<double>(options.beta2), count));
    executor.run(pieces.size(), [&](std::size_t p) {
        const Piece& piece = pieces[p];
        simd::adam(step, gradients[piece.tensor].data + piece.first, m[piece.tensor].data + piece.first,
                   v[piece.tensor].data + piece.first, weights[piece.tensor].data + piece.first, piece.count);
    });
    return norm;
}

}  // namespace softalign
