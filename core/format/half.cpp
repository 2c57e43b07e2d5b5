#include "core/format/half.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace softalign {
namespace {

float float_of(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// bits >> shift, rounded to nearest, ties to even; 0 < shift < 32.
std::uint32_t shifted_to_nearest(std::uint32_t bits, unsigned shift) {
    const std::uint32_t half = 1U << (shift - 1);
    const std::uint32_t rest = bits & ((half << 1U) - 1);
    const std::uint32_t kept = bits >> shift;
    return kept + ((rest > half || (rest == half && (kept & 1U) != 0)) ? 1U : 0U);
}

}  // namespace

float float_from_half(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t exponent = bits >> 10U & 0x1FU;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 0x1F) return float_of(sign | 0x7F800000U | fraction << 13U);
    if (exponent == 0) {
        const float magnitude = std::ldexp(static_cast<float>(fraction), -24);  // subnormal, exact in a float
        return float_of(sign | bits_of(magnitude));
    }
    return float_of(sign | (exponent + 127 - 15) << 23U | fraction << 13U);
}

std::uint16_t half_from_float(float value) {
    const std::uint32_t bits = bits_of(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    std::uint32_t half = 0;
    if (magnitude > 0x7F800000U) {
        half = 0x7E00U | (magnitude >> 13U & 0x3FFU);  // NaN, quiet
    } else if (magnitude >= 0x47800000U) {             // 2^16 and more
        half = 0x7C00U;
    } else if (magnitude >= 0x38800000U) {  // normal from 2^-14 on; a carry of the rounding moves into the exponent
        half = shifted_to_nearest(magnitude - ((127U - 15U) << 23U), 13);
    } else if (magnitude >= 0x33000000U) {  // from 2^-25 on, half of the smallest subnormal
        const std::uint32_t exponent = magnitude >> 23U;
        half = shifted_to_nearest((magnitude & 0x7FFFFFU) | 0x800000U, 126U - exponent);
    }
    return static_cast<std::uint16_t>(sign | half);
}

float float_from_bfloat(std::uint16_t bits) {
    return float_of(static_cast<std::uint32_t>(bits) << 16U);
}

float float_from_double(double value) {
    // Beyond the midpoint of the largest float and 2^128, the plain conversion is undefined.
    if (std::abs(value) >= 0x1.ffffffp127) {
        return std::copysign(std::numeric_limits<float>::infinity(), value < 0 ? -1.0F : 1.0F);
    }
    return static_cast<float>(value);
}

}  // namespace softalign
