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

void tanh(const float* x, float* y, std::size_t n) {
    active()->tanh(x, y, n);
}

void tanh_backward(const float* x, const float* t, float* y, std::size_t n) {
    active()->tanh_backward(x, t, y, n);
}

void add_scaled(float a, const float* x, float* y, std::size_t n) {
    active()->add_scaled(a, x, y, n);
}

void add(const float* x, float* y, std::size_t n) {
    active()->add(x, y, n);
}

void multiply_elements(const float* x, float* y, std::size_t n) {
    active()->multiply_elements(x, y, n);
}

void scale(float a, float* y, std::size_t n) {
    active()->scale(a, y, n);
}

float dot(const float* x, const float* y, std::size_t n) {
    return active()->dot(x, y, n);
}

double sum_of_squares(const float* x, std::size_t n) {
    return active()->sum_of_squares(x, n);
}

std::size_t argmax(const float* x, std::size_t n) {
    return active()->argmax(x, n);
}

void lstm_cell(float* gates, const float* previous_c, float* c, float* tanh_c, float* h, std::size_t hidden) {
    active()->lstm_cell(gates, previous_c, c, tanh_c, h, hidden);
}

void lstm_cell_backward(const float* gates, const float* previous_c, const float* tanh_c, const float* dh, float* dc,
                        float* dgates, std::size_t hidden) {
    active()->lstm_cell_backward(gates, previous_c, tanh_c, dh, dc, dgates, hidden);
}

void additive_energies(const float* keys, const float* query, const float* v, float* energies, std::size_t positions,
                       std::size_t units) {
    active()->additive_energies(keys, query, v, energies, positions, units);
}

void additive_energies_backward(const float* keys, const float* query, const float* v, const float* denergies,
                                float* dkeys, float* dquery, float* dv, std::size_t positions, std::size_t units) {
    active()->additive_energies_backward(keys, query, v, denergies, dkeys, dquery, dv, positions, units);
}

void rows_dot(const float* rows, const float* x, float scale, float* y, std::size_t positions, std::size_t size) {
    active()->rows_dot(rows, x, scale, y, positions, size);
}

void weighted_sum(const float* weights, const float* rows, float* y, std::size_t positions, std::size_t size,
                  bool accumulate) {
    active()->weighted_sum(weights, rows, y, positions, size, accumulate);
}

void add_outer(const float* weights, const float* x, float* rows, std::size_t positions, std::size_t size) {
    active()->add_outer(weights, x, rows, positions, size);
}

void softmax(float* x, std::size_t n) {
    active()->softmax(x, n);
}

void softmax_backward(const float* y, const float* dy, float* dx, std::size_t n) {
    active()->softmax_backward(y, dy, dx, n);
}

float log_sum_exp(const float* x, std::size_t n) {
    return active()->log_sum_exp(x, n);
}

void log_softmax(float* x, std::size_t n) {
    active()->log_softmax(x, n);
}

float cross_entropy(float* logits, std::size_t vocabulary, std::size_t target, float smoothing, float gradient_scale) {
    return active()->cross_entropy(logits, vocabulary, target, smoothing, gradient_scale);
}

void adam(const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t n) {
    active()->adam(step, gradient, m, v, w, n);
}

std::size_t multiply_add_in_registers(std::size_t turns, float* sum) {
    return active()->multiply_add_in_registers(turns, sum);
}

}  // namespace softalign::simd
