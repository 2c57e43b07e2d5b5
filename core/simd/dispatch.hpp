#pragma once

#include <vector>

#include "core/simd/bf16.hpp"
#include "core/simd/instruction_set.hpp"

namespace softalign::simd {

/// Every instruction set that this build has and this processor can run, the best one first.
const std::vector<const InstructionSet*>& available_instruction_sets();

/// The one with this name, or the best one when `name` is null or empty. Throws UsageError for any other name.
const InstructionSet& choose_instruction_set(const char* name);

/// The one in use: at first the one that the environment variable SOFTALIGN_SIMD names.
const InstructionSet& active_instruction_set();

/// Puts another one in use, so that one process can test them all. A matrix packed before does not fit afterwards.
void use_instruction_set(const InstructionSet& instruction_set);

/// The products in bf16 that go with the instruction set in use. Throws UsageError where there are none.
const Bf16Products& bf16_products();

}  // namespace softalign::simd
