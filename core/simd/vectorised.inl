// Everything in the translation unit of an instruction set, which defines SOFTALIGN_ARCH and, after batch.hpp, the
// tile:
//
//     struct Tile {
//         static constexpr std::size_t rows;            // of C, kept in registers …
//         static constexpr std::size_t vectors;         // … by this many batches
//         static constexpr std::size_t panel_vectors;   // width of a panel of B in batches
//         static constexpr std::size_t int8_rows;       // of C at a time with 8-bit weights, all of a panel wide
//         static constexpr std::size_t k_block;         // a panel of this height stays in the first cache
//         static constexpr std::size_t row_block;       // this many rows of A, k_block long, in the second
//     };

#include "core/simd/gemm.inl"
#include "core/simd/instruction_set.hpp"
#include "core/simd/int8.inl"
#include "core/simd/kernels.inl"

namespace softalign::simd::vectorised {
namespace {

/// A constant, so that no code of this translation unit runs before the processor has been asked.
constexpr InstructionSet make_instruction_set(const char* name) {
    return {
        name, panel_columns, scratch_floats, multiply_block, quantise_row, multiply_int8_block,
#define SOFTALIGN_KERNEL(result, name, parameters, arguments) name,
#include "core/simd/kernel_list.inl"
    };
}

}  // namespace
}  // namespace softalign::simd::vectorised
