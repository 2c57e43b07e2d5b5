#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// A batch of one element, for the scalar loops of reference.cpp: the parts of batch.hpp that functions.inl and
/// cells.inl need, in its namespaces.
namespace softalign::simd::vectorised {
namespace {

using Batch = float;
using IntegerBatch = std::uint32_t;

inline Batch divide(Batch a, Batch b) {
    return a / b;
}

/// The greater; b if b is not a number.
inline Batch maximum(Batch a, Batch b) {
    return a > b ? a : b;
}

/// The lesser; b if b is not a number.
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

/// How a kernel reads and writes its one element.
struct Whole {
    Batch load(const float* p, float = 0.0F) const { return *p; }
    void store(float* p, Batch x) const { *p = x; }
};

/// Calls body(index, Whole) for every element.
template <typename Body>
inline void for_each_batch(std::size_t n, const Body& body) {
    for (std::size_t i = 0; i < n; ++i) body(i, Whole{});
}

}  // namespace
}  // namespace softalign::simd::vectorised
