#pragma once

#include <vector>

#include "core/simd/bf16.hpp"
#include "core/simd/instruction_set.hpp"

namespace softalign::simd {

/// The instruction sets that this build has and this processor can run, best first.
const std::vector<const InstructionSet*>& available_instruction_sets();

/// The one with this name, or the best one when `name` is null or empty. Throws UsageError for any other name.
const InstructionSet& choose_instruction_set(const char* name);

/// The one in use, initially the one named by the environment variable SOFTALIGN_SIMD, or the best.
const InstructionSet& active_instruction_set();

/// Switches to another one, so that one process can test them all. Matrices packed before no longer fit.
void use_instruction_set(const InstructionSet& instruction_set);

/// The bf16 products of the instruction set in use. Throws UsageError if it has none.
const Bf16Products& bf16_products();

}  // namespace softalign::simd
