#pragma once

#include <vector>

#include "core/nn/projection.hpp"

namespace softalign {

/// The output layer together with its loss, so that the logits of a large batch never exist all at once.
///
/// Cross-entropy with label smoothing as in PyTorch, mean over the rows:
///     loss_r = (1 - smoothing) * -log p(label_r) + smoothing / V * sum_j -log p(j)
/// R rows, F inputs, V vocabulary.
struct OutputLoss {
    double loss = 0;  ///< sum over the rows, smoothed
    double hits = 0;  ///< number of labels that were the most likely word
};

struct OutputWeights {
    const Projection& weight;  ///< [V, F]
    const Vector& bias;        ///< [V]
};
struct OutputGradients {
    simd::MutableMatrixView weight;  ///< [V, F] is added to
    Vector& bias;                    ///< [V] is added to
    simd::MutableMatrixView x;       ///< [R, F] gets the gradient of the mean loss
};

/// @param x [R, F] what the output layer reads   @param labels [R]
OutputLoss output_loss(simd::Executor& executor, const OutputWeights& head, simd::MatrixView x,
                       const std::vector<int>& labels, float smoothing, const OutputGradients& to);

}  // namespace softalign
