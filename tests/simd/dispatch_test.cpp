#include "core/simd/dispatch.hpp"

#include <set>

#include "core/error.hpp"
#include "tests/simd/instruction_sets.hpp"

using namespace softalign;

TEST_CASE("every instruction set has its own name, and the scalar one is always there") {
    std::set<std::string> names;
    for (const simd::InstructionSet* set : simd::available_instruction_sets()) names.insert(set->name);
    CHECK(names.size() == simd::available_instruction_sets().size());
    CHECK(names.count("scalar") == 1);
}

TEST_CASE("the instruction set in use is told by its name") {
    const simd::InstructionSet& before = simd::active_instruction_set();
    for (const simd::InstructionSet* set : simd::available_instruction_sets()) {
        simd::use_instruction_set(*set);
        CHECK(std::string(simd::instruction_set()) == set->name);
    }
    simd::use_instruction_set(before);
}

TEST_CASE("an instruction set is chosen by name, and a refusal names those that there are") {
    for (const simd::InstructionSet* set : simd::available_instruction_sets()) {
        CHECK(&simd::choose_instruction_set(set->name) == set);
    }
    CHECK(&simd::choose_instruction_set(nullptr) == simd::available_instruction_sets().front());
    try {
        simd::choose_instruction_set("mmx");
        FAIL("an unknown instruction set was accepted");
    } catch (const UsageError& error) {
        const std::string message = error.what();
        CHECK(message.find("\"mmx\"") != std::string::npos);
        CHECK(message.find("scalar") != std::string::npos);
    }
}
