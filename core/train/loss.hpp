#pragma once

#include <vector>

#include "core/nn/projection.hpp"

namespace softalign {

/// The output layer with its loss, so that the logits of a large batch never exist at once.
///
/// Cross-entropy with label smoothing as in PyTorch, mean over the rows:
///     loss_r = (1 - smoothing) * -log p(label_r) + smoothing / V * sum_j -log p(j)
/// R rows, F inputs, V vocabulary.
struct OutputLoss {
    double loss = 0;  ///< sum over the rows, smoothed
    double hits = 0;  ///< how many labels were the most likely word
};

/// @param x [R, F] what the output layer reads   @param labels [R]
/// @param dx [R, F] gets the gradient of the mean loss   @param dweight [V, F], dbias [V] are added to
OutputLoss output_loss(simd::Executor& executor, const Projection& head, const Vector& bias, simd::MatrixView x,
                       const std::vector<int>& labels, float smoothing, simd::MutableMatrixView dx,
                       simd::MutableMatrixView dweight, Vector& dbias);

}  // namespace softalign
