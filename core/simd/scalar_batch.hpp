#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

/// The functions of functions.inl for one element, and what they need of it: for the scalar loops of reference.cpp. In
/// place of batch.hpp, and in its namespaces.
namespace softalign::simd::vectorised {
namespace {

using Batch = float;
using IntegerBatch = std::uint32_t;

inline Batch divide(Batch a, Batch b) {
    return a / b;
}

/// The greater; where b is not a number, b.
inline Batch maximum(Batch a, Batch b) {
    return a > b ? a : b;
}

/// The lesser; where b is not a number, b.
inline Batch minimum(Batch a, Batch b) {
    return a < b ? a : b;
}

inline Batch absolute(Batch x) {
    return std::fabs(x);
}

/// |x| with the sign of `signed_batch`; x >= 0.
inline Batch with_sign_of(Batch signed_batch, Batch x) {
    return std::copysign(x, signed_batch);
}

inline Batch choose(bool mask, Batch a, Batch b) {
    return mask ? a : b;
}

inline IntegerBatch as_integer(Batch x) {
    IntegerBatch bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

inline Batch as_float(IntegerBatch bits) {
    Batch x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

}  // namespace
}  // namespace softalign::simd::vectorised

#include "core/simd/functions.inl"
