#include "native/evaluate/joined_alignment.hpp"

#include <algorithm>

namespace softalign {

Matrix join_alignment(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                      const Matrix& alignment) {
    Matrix joined = zeros(target.size(), source.size());
    for (std::size_t t = 0; t < target.size(); ++t) {
        const float share = 1.0F / static_cast<float>(target[t].tokens.size());
        for (const std::size_t target_token : target[t].tokens) {
            for (std::size_t s = 0; s < source.size(); ++s) {
                for (const std::size_t source_token : source[s].tokens) {
                    joined(t, s) += share * alignment(target_token, source_token);
                }
            }
        }
    }
    return joined;
}

metrics::Links strongest_links(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                               const Matrix& alignment) {
    const Matrix joined = join_alignment(source, target, alignment);
    metrics::Links links;
    for (std::size_t t = 0; t < target.size(); ++t) {
        if (target[t].special || source.empty()) continue;
        const float* weights = row(joined, t);
        const auto strongest = static_cast<std::size_t>(std::max_element(weights, weights + source.size()) - weights);
        if (!source[strongest].special) links.emplace(strongest, t);
    }
    return links;
}

}  // namespace softalign
