#include "core/simd/dispatch.hpp"

#include <cstdlib>
#include <string>

#include "core/error.hpp"

namespace softalign::simd {

namespace {

std::vector<const InstructionSet*> find_available() {
    std::vector<const InstructionSet*> found;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
        found.push_back(&avx512_instruction_set);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(&avx2_instruction_set);
    if (__builtin_cpu_supports("sse4.1")) found.push_back(&sse41_instruction_set);
#elif defined(__aarch64__)
    found.push_back(&neon_instruction_set);
#elif defined(__EMSCRIPTEN__)
    found.push_back(&wasm_instruction_set);
    return found;  // a browser without it could not have loaded this module, so nothing needs the scalar loops
#endif
    found.push_back(&scalar_instruction_set);
    return found;
}

const InstructionSet*& active() {
    static const InstructionSet* chosen = &choose_instruction_set(std::getenv("SOFTALIGN_SIMD"));
    return chosen;
}

const Bf16Products* find_bf16_products() {
#if defined(__x86_64__)
    if (active() == &avx512_instruction_set && __builtin_cpu_supports("avx512bf16")) return &avx512_bf16_products;
#endif
    return nullptr;
}

}  // namespace

const std::vector<const InstructionSet*>& available_instruction_sets() {
    static const std::vector<const InstructionSet*> available = find_available();
    return available;
}

const InstructionSet& choose_instruction_set(const char* name) {
    const std::vector<const InstructionSet*>& available = available_instruction_sets();
    if (name == nullptr || *name == '\0') return *available.front();
    std::string names;
    for (const InstructionSet* candidate : available) {
        if (candidate->name == std::string(name)) return *candidate;
        names += names.empty() ? "" : ", ";
        names += candidate->name;
    }
    throw UsageError("SOFTALIGN_SIMD names the instruction set \"" + std::string(name) +
                     "\", which this build or this processor does not have; available are: " + names);
}

const InstructionSet& active_instruction_set() {
    return *active();
}

void use_instruction_set(const InstructionSet& instruction_set) {
    active() = &instruction_set;
}

bool has_bf16() {
    return find_bf16_products() != nullptr;
}

const Bf16Products& bf16_products() {
    if (const Bf16Products* products = find_bf16_products()) return *products;
    throw UsageError(std::string("products in bf16 need a processor with AVX512_BF16, and the instruction set avx512; "
                                 "in use is ") +
                     active()->name + ". Products in f32 run everywhere");
}

const char* instruction_set() {
    return active()->name;
}

#define SOFTALIGN_KERNEL(result, name, parameters, arguments) \
    result name parameters { return active()->name arguments; }
#include "core/simd/kernel_list.inl"

}  // namespace softalign::simd
