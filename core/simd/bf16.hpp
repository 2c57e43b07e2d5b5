#pragma once

#include <cstddef>

#include "core/simd/instruction_set.hpp"

namespace softalign::simd {

/// Products whose factors are rounded to bfloat16, to the nearest, ties to even, where the processor adds
/// a[2 p] b[2 p] + a[2 p + 1] b[2 p + 1] to a float in one instruction. Panels are as wide as the instruction set's,
/// with such a pair in the place of a float; an odd last k is paired with zero.
struct Bf16Products {
    /// As InstructionSet's; `b` is panels of pairs.
    std::size_t scratch_floats;
    void (*multiply_block)(const ProductBlock& block, float* scratch);

    /// B[k, width], its rows `row_stride` apart, as one panel.
    void (*pack_panel)(const float* b, std::size_t row_stride, std::size_t width, std::size_t k, float* panel);
    /// The same of B given transposed: [width, k].
    void (*pack_panel_transposed)(const float* b, std::size_t row_stride, std::size_t width, std::size_t k,
                                  float* panel);
};

extern const Bf16Products avx512_bf16_products;

}  // namespace softalign::simd
