#include <cmath>

#include "core/nn/random.hpp"
#include "core/train/training.hpp"

namespace softalign {

Parameters initial_parameters(const Configuration& configuration, std::uint64_t seed) {
    configuration.validate();
    Parameters parameters = Parameters::zeros(configuration);
    std::uint64_t tensor_index = 0;
    for (const NamedTensor& tensor : named_tensors(parameters, configuration)) {
        const RandomStream stream(seed, RandomUse::initial_weights, tensor_index++);
        const bool embedding = tensor.name.find("embed") != std::string::npos;
        const bool bias = tensor.shape.size() == 1;
        const bool recurrent = tensor.name.find(".rnn.") != std::string::npos;
        double bound = 0.0;  // biases of linear maps start at zero
        if (embedding) {
            bound = 0.1;
        } else if (recurrent && !bias) {
            bound = 1.0 / std::sqrt(static_cast<double>(tensor.shape[0]) / 4.0);
        } else if (!bias) {
            bound = std::sqrt(6.0 / static_cast<double>(tensor.shape[0] + tensor.shape[1]));  // Glorot and Bengio 2010
        }
        for (std::size_t i = 0; i < tensor.size; ++i) {
            tensor.data[i] = static_cast<float>(bound * (2.0 * stream.uniform(i) - 1.0));
        }
        if (recurrent && bias && tensor.name.find("bias_ih") != std::string::npos) {
            const std::size_t hidden = tensor.shape[0] / 4;
            for (std::size_t i = hidden; i < 2 * hidden; ++i) tensor.data[i] = 1.0F;  // the forget gate
        }
    }
    return parameters;
}

}  // namespace softalign
