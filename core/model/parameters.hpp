#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/configuration.hpp"
#include "core/nn/layer_parameters.hpp"

namespace softalign {

/// Every parameter of a model. Absent ones are empty. A gradient and each of the optimiser's moments have the same
/// type.
struct Parameters {
    Matrix source_embedding;                      ///< [source vocabulary, E]
    std::vector<LstmParameters> encoder;          ///< per layer
    std::vector<LstmParameters> encoder_reverse;  ///< per layer, where bidirectional
    LinearParameters bridge_h;                    ///< [dec_hidden, K]
    LinearParameters bridge_c;                    ///< [dec_hidden, K]
    Matrix target_embedding;                      ///< [target vocabulary, E]
    AttentionParameters attention;
    std::vector<LstmParameters> decoder;  ///< per layer
    Matrix combine;                       ///< luong: [dec_hidden, K + dec_hidden]
    LinearParameters readout;             ///< [readout, decoder output + E]
    LinearParameters head;                ///< [target vocabulary, head input]; no weight where tied

    /// All zero, in the shapes of the configuration.
    static Parameters zeros(const Configuration& configuration);
};

/// One parameter's memory by name.
struct NamedTensor {
    std::string name;
    std::vector<std::size_t> shape;
    float* data;
    std::size_t size;
};

/// Every present parameter, named and ordered as `parameters_of` says.
std::vector<NamedTensor> named_tensors(Parameters& parameters, const Configuration& configuration);

/// How many numbers a model of this configuration has. 64 bits wide on every machine, so that no configuration whose
/// single values are in range overflows it.
std::uint64_t parameter_count(const Configuration& configuration);

}  // namespace softalign
