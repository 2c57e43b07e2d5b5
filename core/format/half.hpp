#pragma once

#include <cstdint>

namespace softalign {

/// The number that IEEE 754 binary16 bits stand for, exactly (also subnormal, infinite and NaN).
float float_from_half(std::uint16_t bits);

/// binary16 bits of the nearest number, ties to even; infinite above 65519.99, NaN stays NaN.
std::uint16_t half_from_float(float value);

/// The number that bfloat16 bits stand for, exactly.
float float_from_bfloat(std::uint16_t bits);

/// The nearest float; infinite if the number is too large.
float float_from_double(double value);

}  // namespace softalign
