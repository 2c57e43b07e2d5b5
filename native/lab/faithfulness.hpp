#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/simd/executor.hpp"
#include "native/lab/named_model.hpp"
#include "native/lab/report.hpp"

namespace softalign::lab {

struct FaithfulnessOptions {
    std::size_t sentences = 200;    ///< of the data, the first ones
    std::size_t permutations = 20;  ///< of the weights of every step
    double tolerance = 0.05;        ///< total variation up to which two outputs count as the same
    std::uint64_t seed = 1;
};

/// Do the weights explain the output? Jain and Wallace, "Attention is not Explanation" (2019), asked of classifiers
/// whether the output stays when the attention is another one. Here the question is put to a translation model, step by
/// step along given translations: the weights of one step are replaced, all before it stays, and the total variation
///     TV(p, q) = 1/2 sum_w |p(w) - q(w)|
/// says how far the distribution of the next word moves. The weights are
///     permuted     at random; the median of several permutations is a step's figure (their section 4.2.1)
///     uniform      all equal
///     without the strongest   its weight is shared out among the others
///     adversarial  as far from the model's as can be found, in Jensen-Shannon divergence (at most ln 2), at a total
///                  variation within the tolerance (their section 4.2.2). The search is plain: mixtures of the model's
///                  weights with all of the above and with every single position.
Report faithfulness(const std::vector<NamedModel>& models, const std::string& data_path,
                    const FaithfulnessOptions& options, simd::Executor& executor);

}  // namespace softalign::lab
