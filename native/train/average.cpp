#include "native/train/average.hpp"

#include <algorithm>

namespace softalign {

void update_average(simd::Executor& executor, const Configuration& configuration, float decay, std::uint64_t step,
                    const Parameters& parameters, Parameters& average) {
    const std::vector<ConstNamedTensor> from = named_tensors(parameters, configuration);
    const std::vector<NamedTensor> to = named_tensors(average, configuration);
    const float steps = static_cast<float>(step);
    const float kept = std::min(decay, (1.0F + steps) / (10.0F + steps));
    executor.run(to.size(), [&](std::size_t i) {
        for (std::size_t j = 0; j < to[i].size; ++j) {
            to[i].data[j] = kept * to[i].data[j] + (1.0F - kept) * from[i].data[j];
        }
    });
}

}  // namespace softalign
