#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/model/configuration.hpp"
#include "core/nn/layer_parameters.hpp"

namespace softalign {

/// Every parameter of a model. Absent ones are empty. @tparam Weights what its matrices are: Matrix or QuantizedMatrix
template <typename Weights>
struct ParametersOf {
    Weights source_embedding;                                ///< [source vocabulary, E]
    std::vector<LstmParametersOf<Weights>> encoder;          ///< per layer
    std::vector<LstmParametersOf<Weights>> encoder_reverse;  ///< per layer, where bidirectional
    LinearParametersOf<Weights> bridge_h;                    ///< [dec_hidden, K]
    LinearParametersOf<Weights> bridge_c;                    ///< [dec_hidden, K]
    Weights target_embedding;                                ///< [target vocabulary, E]
    AttentionParametersOf<Weights> attention;
    std::vector<LstmParametersOf<Weights>> decoder;  ///< per layer
    Weights combine;                                 ///< luong: [dec_hidden, K + dec_hidden]
    LinearParametersOf<Weights> readout;             ///< [readout, decoder output + E]
    LinearParametersOf<Weights> head;                ///< [target vocabulary, head input]; no weight where tied

    /// All zero, in the shapes of the configuration; 8-bit matrices are left empty.
    static ParametersOf zeros(const Configuration& configuration);
};

/// As they are trained. A gradient and each of the optimiser's moments have the same type.
using Parameters = ParametersOf<Matrix>;
/// As a file stores them in 8 bits: they only run.
using QuantizedParameters = ParametersOf<QuantizedMatrix>;
/// What a model file holds.
using StoredParameters = std::variant<Parameters, QuantizedParameters>;

/// One parameter's memory by name.
struct NamedTensor {
    std::string name;
    std::vector<std::size_t> shape;
    float* data;
    std::size_t size;
};

/// Every present parameter, named and ordered as `parameters_of` says.
std::vector<NamedTensor> named_tensors(Parameters& parameters, const Configuration& configuration);

/// One parameter among others whose matrices are 8-bit rows.
struct NamedQuantizedTensor {
    std::string name;
    std::vector<std::size_t> shape;
    std::variant<QuantizedMatrix*, Vector*> tensor;
};
std::vector<NamedQuantizedTensor> named_tensors(QuantizedParameters& parameters, const Configuration& configuration);

/// The numbers that stored parameters stand for.
Parameters floats_of(StoredParameters parameters, const Configuration& configuration);

/// How many numbers a model of this configuration has. 64 bits wide on every machine, so that no configuration whose
/// single values are in range overflows it.
std::uint64_t parameter_count(const Configuration& configuration);

}  // namespace softalign
