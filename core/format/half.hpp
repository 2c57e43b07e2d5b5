#pragma once

#include <cstdint>

namespace softalign {

/// The number of IEEE 754 binary16 bits: exact, whatever they are (subnormal, infinite, NaN).
float float_from_half(std::uint16_t bits);

/// binary16 bits of the nearest number, ties to even; infinite above 65519.99, NaN stays NaN.
std::uint16_t half_from_float(float value);

/// The number of bfloat16 bits: exact.
float float_from_bfloat(std::uint16_t bits);

/// The nearest float; infinite where it is too large.
float float_from_double(double value);

}  // namespace softalign
