#pragma once

#include "core/nn/parameter.hpp"
#include "core/nn/quantize.hpp"
#include "core/tensor.hpp"

namespace softalign {

// A layer's matrices are floats (Matrix), or the 8-bit rows of a file (QuantizedMatrix), which only run forward.

/// y = W x + b
template <typename Weights>
struct LinearParametersOf {
    Weights weight;  ///< [out, in]
    Vector bias;     ///< [out]
};
using LinearParameters = LinearParametersOf<Matrix>;

/// @tparam Parameters LinearParametersOf, const or not
template <typename Parameters, typename Visitor>
void visit_linear(Parameters& parameters, const Visitor& parameter, std::size_t out, std::size_t in, Per per) {
    parameter("weight", parameters.weight, Shape{out, in}, glorot(out, in), reads(per, in));
    parameter("bias", parameters.bias, Shape{out}, starting_at_zero(), reads(per, 1));
}

}  // namespace softalign
