#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/simd/dispatch.hpp"
#include "tests/catch.hpp"

namespace softalign::tests {

/// Runs the body with every instruction set that this processor has in use, one after another.
template <typename Body>
void for_each_instruction_set(const Body& body) {
    const simd::InstructionSet& before = simd::active_instruction_set();
    for (const simd::InstructionSet* set : simd::available_instruction_sets()) {
        simd::use_instruction_set(*set);
        INFO("instruction set " << set->name);
        body();
    }
    simd::use_instruction_set(before);
}

/// Lengths around the batches' and the unrolled loops' edges.
const std::vector<std::size_t> lengths = {0, 1, 3, 7, 8, 15, 16, 17, 31, 64, 65, 127, 130, 1000};

inline std::vector<float> random_floats(std::size_t n, unsigned seed, float magnitude = 1.0F) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-magnitude, magnitude);
    std::vector<float> values(n);
    for (float& value : values) value = uniform(generator);
    return values;
}

/// Zeros of both signs, denormals, and magnitudes over the whole range whose sums of products stay finite.
inline std::vector<float> nasty_floats(std::size_t n, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_int_distribution<int> exponent(-148, 40);
    std::uniform_real_distribution<float> mantissa(-1.0F, 1.0F);
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = i % 5 == 0 ? (i % 2 == 0 ? 0.0F : -0.0F) : std::ldexp(mantissa(generator), exponent(generator));
    }
    return values;
}

/// Distance of a result from the true value in units in the last place of a float of that size.
inline double ulps(float result, long double truth) {
    if (std::isnan(result) || std::isinf(result)) return std::numeric_limits<double>::infinity();
    const int exponent = truth == 0.0L ? -149 : std::max(std::ilogb(truth) - 23, -149);
    return static_cast<double>(std::ldexp(std::fabs(static_cast<long double>(result) - truth), -exponent));
}

inline bool same_bits(const float* a, const float* b, std::size_t n) {
    return n == 0 || std::memcmp(a, b, n * sizeof(float)) == 0;
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}

}  // namespace softalign::tests
