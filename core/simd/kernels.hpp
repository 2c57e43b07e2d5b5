#pragma once

#include <cstddef>
#include <cstdint>

/// Loops over plain spans. Every function has one source (`kernels.inl`, `cells.inl`), compiled for each instruction
/// set and chosen at run time. The order of all sums depends on the lengths alone. Functions that running a model needs
/// give the same bits on every instruction set; those that only training needs (backward, cross-entropy, the optimiser)
/// may differ between instruction sets. No function checks its arguments; pointers need no alignment; inputs and
/// outputs do not overlap unless stated.
namespace softalign::simd {

/// Adam (Kingma and Ba 2015), one step: g = gradient_scale * gradient; m, v the running moments; bias corrections are
/// 1 - beta^t as computed by the caller.   w -= rate * (m / correction1) / (sqrt(v / correction2) + epsilon)
struct AdamStep {
    float gradient_scale;
    float rate;
    float beta1;
    float beta2;
    float epsilon;
    float correction1;
    float correction2;
};

/// What additive attention compares: the keys of one sentence with one query.
struct AdditiveEnergies {
    const float* keys;   ///< [S, A]
    const float* query;  ///< [A]
    const float* v;      ///< [A]
    std::size_t positions;
    std::size_t units;
};
struct AdditiveGradients {
    float* keys;   ///< [S, A]
    float* query;  ///< [A]
    float* v;      ///< [A]
};

#define SOFTALIGN_KERNEL(result, name, parameters, arguments) result name parameters;
#include "core/simd/kernel_list.inl"

// Which instruction set ----------------------------------------------------------------------------------------------

/// Name of the instruction set in use: "avx512", "avx2", "sse4.1", "neon", "wasm" or "scalar".
/// The best one the processor has, unless the environment variable SOFTALIGN_SIMD names another (native builds).
/// Throws UsageError if that one does not exist.
const char* instruction_set();

}  // namespace softalign::simd
