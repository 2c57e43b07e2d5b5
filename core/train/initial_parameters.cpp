#include <algorithm>

#include "core/nn/random.hpp"
#include "core/train/training.hpp"

namespace softalign {

Parameters initial_parameters(const Configuration& configuration, std::uint64_t seed) {
    configuration.validate();
    Parameters parameters = Parameters::zeros(configuration);
    const std::vector<NamedTensor> tensors = named_tensors(parameters, configuration);
    const std::vector<ParameterDescription> descriptions = parameters_of(configuration);
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const RandomStream stream(seed, RandomUse::initial_weights, t);
        const auto& [bound, first_one, ones] = descriptions[t].initial;
        float* const values = tensors[t].data;
        for (std::size_t i = 0; i < tensors[t].size; ++i) {
            values[i] = static_cast<float>(bound * (2.0 * stream.uniform(i) - 1.0));
        }
        std::fill_n(values + first_one, ones, 1.0F);
    }
    return parameters;
}

}  // namespace softalign
