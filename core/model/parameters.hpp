#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/model/configuration.hpp"
#include "core/nn/linear.hpp"

namespace softalign {

/// Every parameter of a model. Absent ones are empty. @tparam Weights the type of its matrices: Matrix or
/// QuantizedMatrix
template <typename Weights>
struct ParametersOf {
    Weights source_embedding;                                ///< [source vocabulary, E]
    std::vector<CellParametersOf<Weights>> encoder;          ///< per layer
    std::vector<CellParametersOf<Weights>> encoder_reverse;  ///< per layer, where bidirectional
    LinearParametersOf<Weights> bridge_h;                    ///< [dec_hidden, K]
    LinearParametersOf<Weights> bridge_c;                    ///< [dec_hidden, K], where the cell has a c
    Weights target_embedding;                                ///< [target vocabulary, E]
    AttentionParametersOf<Weights> attention;
    std::vector<CellParametersOf<Weights>> decoder;  ///< per layer
    StyleParametersOf<Weights> style;
    LinearParametersOf<Weights> readout;  ///< [readout, decoder output + E]
    LinearParametersOf<Weights> head;     ///< [target vocabulary, head input]; no weight where tied

    /// All zero, in the shapes of the configuration; 8-bit matrices are left empty.
    static ParametersOf zeros(const Configuration& configuration);
};

/// As they are trained. Gradients and the optimiser's moments have the same type.
using Parameters = ParametersOf<Matrix>;
inline std::shared_ptr<const Parameters> share(Parameters parameters) {
    return std::make_shared<const Parameters>(std::move(parameters));
}
/// As a file stores them in 8 bits, for running a model only.
using QuantizedParameters = ParametersOf<QuantizedMatrix>;
inline std::shared_ptr<const QuantizedParameters> share(QuantizedParameters parameters) {
    return std::make_shared<const QuantizedParameters>(std::move(parameters));
}
/// The parameters of a model file, shared and never changed, so that a model can refer to them.
using StoredParameters = std::variant<std::shared_ptr<const Parameters>, std::shared_ptr<const QuantizedParameters>>;

/// One parameter of a model, as its layer describes it. Named as in a PyTorch state_dict.
struct ParameterDescription {
    std::string name;
    Shape shape;
    InitialValues initial;
    Reads reads;
};

/// Every parameter of a model of this shape, in a fixed order.
std::vector<ParameterDescription> parameters_of(const Configuration& configuration);

/// One parameter's memory by name.
template <typename Number>
struct NamedTensorOf {
    std::string name;
    Shape shape;
    Number* data;
    std::size_t size;
};
using NamedTensor = NamedTensorOf<float>;
using ConstNamedTensor = NamedTensorOf<const float>;

/// Every present parameter, named and ordered as `parameters_of` says.
std::vector<NamedTensor> named_tensors(Parameters& parameters, const Configuration& configuration);
std::vector<ConstNamedTensor> named_tensors(const Parameters& parameters, const Configuration& configuration);

/// One parameter among others whose matrices are 8-bit rows.
struct NamedQuantizedTensor {
    std::string name;
    Shape shape;
    std::variant<QuantizedMatrix*, Vector*> tensor;
};
std::vector<NamedQuantizedTensor> named_tensors(QuantizedParameters& parameters, const Configuration& configuration);

/// The numbers that stored parameters stand for.
std::shared_ptr<const Parameters> floats_of(const StoredParameters& stored, const Configuration& configuration);

/// The number of values in a model of this configuration. 64 bits wide on every machine, so that it cannot overflow
/// while each size is in range.
std::uint64_t parameter_count(const Configuration& configuration);

/// Multiply-adds of a forward pass over one sentence pair: products, energies and contexts.
double multiply_adds(const Configuration& configuration, std::size_t source_words, std::size_t target_words);

}  // namespace softalign
