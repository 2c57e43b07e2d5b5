#include "core/train/loss.hpp"

#include <algorithm>
#include <numeric>

#include "core/nn/parallel.hpp"
#include "core/simd/division.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

OutputLoss output_loss(simd::Executor& executor, const OutputWeights& head, simd::MatrixView x,
                       const std::vector<int>& labels, float smoothing, const OutputGradients& to) {
    const simd::Stage stage(executor, "output layer");
    // Enough rows that laying out the weights twice, and reading and writing their whole gradient, costs each chunk
    // little compared with its products.
    constexpr std::size_t kGreatestChunk = 1024;
    const std::size_t chunks = simd::divide_up(labels.size(), kGreatestChunk);
    const std::size_t chunk_rows = simd::divide_up(labels.size(), chunks);
    const std::size_t vocabulary = head.bias.size();
    const float mean = 1.0F / static_cast<float>(labels.size());
    std::vector<double> losses(labels.size());
    std::vector<char> hits(labels.size());
    Matrix logits = matrix(chunk_rows, vocabulary);
    for (std::size_t first = 0; first < labels.size(); first += chunk_rows) {
        const std::size_t count = std::min(chunk_rows, labels.size() - first);
        const simd::MutableMatrixView chunk = view(logits).rows_from(0, count);  // [chunk, V]
        head.weight.forward(executor, x.rows_from(first, count), chunk, simd::Update::replace, &head.bias);
        for_rows(executor, count, 8 * vocabulary, [&](std::size_t r) {
            const auto label = static_cast<std::size_t>(labels[first + r]);
            hits[first + r] = simd::argmax(row(logits, r), vocabulary) == label ? 1 : 0;
            losses[first + r] = simd::cross_entropy(row(logits, r), vocabulary, label, smoothing, mean);
        });
        const simd::Stage backward(executor, "output layer backward");
        head.weight.backward(executor, chunk, to.x.rows_from(first, count), simd::Update::replace);
        head.weight.weight_gradient(executor, chunk, x.rows_from(first, count), to.weight);
        bias_gradient(executor, chunk, to.bias);
    }
    return {std::accumulate(losses.begin(), losses.end(), 0.0),
            static_cast<double>(std::count(hits.begin(), hits.end(), 1))};
}

}  // namespace softalign
