#pragma once

#include <cstddef>
#include <cstdint>

#include "core/simd/gemm.hpp"
#include "core/simd/kernels.hpp"

namespace softalign::simd {

/// One rectangle of a product C[M, N] (+)= A[M, K] · B[K, N], as a worker gets it.
struct ProductBlock {
    const float* a;            ///< first row of the rectangle
    std::size_t a_row_stride;  ///< from one row of C to the next
    std::size_t a_k_stride;    ///< from one k to the next; 1 unless A is read transposed
    const float* b;            ///< panels of `panel_columns`, from the rectangle's first column on
    float* c;
    std::size_t c_row_stride;
    const float* bias;  ///< [columns] or null; only when replacing
    std::size_t rows;
    std::size_t columns;
    std::size_t k;
    Update update;
};

/// Greatest magnitude of a 16-bit factor.
constexpr float greatest_factor = 32'767.0F;
/// This many pairs of products of 16 and 8 bits have a sum of at most 32 bits.
constexpr std::size_t exact_pairs = 256;

/// One rectangle of a product with 8-bit weights.
struct Int8Block {
    const std::int16_t* a;  ///< [rows, 2 * pairs]
    const float* a_scales;  ///< [rows]
    const std::int8_t* b;   ///< panels of [pairs, panel_columns, 2]
    const float* b_scales;  ///< [columns], padded to whole panels
    float* c;
    std::size_t c_row_stride;
    const float* bias;  ///< [columns] or null; only when replacing
    std::size_t rows;
    std::size_t columns;
    std::size_t pairs;  ///< half of K, rounded up
    Update update;
};

/// The kernels of one instruction set, for the dispatch and for tests. All other code calls `kernels.hpp` and
/// `gemm.hpp`.
struct InstructionSet {
    const char* name;

    std::size_t panel_columns;   ///< width of a packed panel
    std::size_t scratch_floats;  ///< size of multiply_block's scratch, aligned to 64 bytes
    void (*multiply_block)(const ProductBlock& block, float* scratch);

    /// A row as integers of magnitude at most `greatest_factor`. @return the factor that restores the row
    float (*quantise_row)(const float* x, std::size_t n, std::int16_t* integers);
    void (*multiply_int8_block)(const Int8Block& block);

#define SOFTALIGN_KERNEL(result, name, parameters, arguments) decltype(simd::name)* name;
#include "core/simd/kernel_list.inl"
};

extern const InstructionSet scalar_instruction_set;
extern const InstructionSet sse41_instruction_set;
extern const InstructionSet avx2_instruction_set;
extern const InstructionSet avx512_instruction_set;
extern const InstructionSet neon_instruction_set;
extern const InstructionSet wasm_instruction_set;

}  // namespace softalign::simd
