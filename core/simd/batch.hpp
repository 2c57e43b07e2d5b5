#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <xsimd/xsimd.hpp>

#include "core/simd/reduction.hpp"

/// Precedes a loop with a few constant turns, whose variables should be registers.
#define SOFTALIGN_UNROLL _Pragma("GCC unroll 8")

/// What the kernels need from xsimd, from version 8 on; this file hides differences of names and missing parts.
///
/// Included only by the translation unit of one instruction set, which is compiled for it and defines
/// SOFTALIGN_ARCH, xsimd's name for it. Everything is in an unnamed namespace: the linker must never use a function
/// compiled for one processor in code that runs on another.
namespace softalign::simd::vectorised {
namespace {

using Batch = xsimd::batch<float, SOFTALIGN_ARCH>;
using IntegerBatch = xsimd::batch<std::int32_t, SOFTALIGN_ARCH>;

constexpr std::size_t lanes = Batch::size;

inline Batch load(const float* p) {
    return Batch::load_unaligned(p);
}
inline void store(float* p, Batch x) {
    x.store_unaligned(p);
}

/// a b + c, rounded once if the instruction set can, else twice: the bits depend on the instruction set.
inline Batch multiply_add(Batch a, Batch b, Batch c) {
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#elif defined(__aarch64__)
    return vfmaq_f32(c, a, b);
#else
    return a * b + c;
#endif
}

/// Lets functions.inl fuse multiplication and addition where only training computes, so that the bits may depend on the
/// machine.
struct Fused {
    static Batch multiply_add(Batch a, Batch b, Batch c) { return vectorised::multiply_add(a, b, c); }
};

/// a / b, rounded once: xsimd's division of floats is an approximation on NEON.
inline Batch divide(Batch a, Batch b) {
#if defined(__aarch64__)
    return vdivq_f32(a, b);
#else
    return a / b;
#endif
}

/// The greater; b if b is not a number.
inline Batch maximum(Batch a, Batch b) {
    return xsimd::max(a, b);
}

/// The lesser; b if b is not a number.
inline Batch minimum(Batch a, Batch b) {
    return xsimd::min(a, b);
}

inline Batch absolute(Batch x) {
    return xsimd::abs(x);
}

/// |x| with the sign of `signed_batch`; x >= 0.
inline Batch with_sign_of(Batch signed_batch, Batch x) {
    return x | (signed_batch & Batch(-0.0F));
}

template <typename Mask>
inline Batch choose(Mask mask, Batch a, Batch b) {
    return xsimd::select(mask, a, b);
}

inline IntegerBatch as_integer(Batch x) {
#if XSIMD_VERSION_MAJOR < 9
    return xsimd::bitwise_cast<IntegerBatch>(x);
#else
    return xsimd::bitwise_cast<std::int32_t>(x);
#endif
}

inline Batch as_float(IntegerBatch x) {
#if XSIMD_VERSION_MAJOR < 9
    return xsimd::bitwise_cast<Batch>(x);
#else
    return xsimd::bitwise_cast<float>(x);
#endif
}

/// How a kernel reads and writes one batch: all of it, or the last `count` < lanes elements of a span through a buffer.
/// The end of a span thus goes through the same arithmetic as its middle.
struct Whole {
    Batch load(const float* p, float = 0.0F) const { return vectorised::load(p); }
    void store(float* p, Batch x) const { vectorised::store(p, x); }
    void store_integers(std::int16_t* p, const std::int16_t* x) const { std::memcpy(p, x, lanes * sizeof *x); }
};

struct Part {
    std::size_t count;

    Batch load(const float* p, float missing = 0.0F) const {
        float buffer[lanes];
        vectorised::store(buffer, Batch(missing));
        std::memcpy(buffer, p, count * sizeof(float));
        return vectorised::load(buffer);
    }
    void store(float* p, Batch x) const {
        float buffer[lanes];
        vectorised::store(buffer, x);
        std::memcpy(p, buffer, count * sizeof(float));
    }
    void store_integers(std::int16_t* p, const std::int16_t* x) const { std::memcpy(p, x, count * sizeof *x); }
};

/// Calls body(index, Whole or Part) for every batch of n elements.
template <typename Body>
inline void for_each_batch(std::size_t n, const Body& body) {
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) body(i, Whole{});
    if (i < n) body(i, Part{n - i});
}

/// `interleaved` reductions of n elements, joined by halves: `step(reduced, index, Whole or Part)` continues a batch of
/// them, `join` makes one float of two.
template <typename Step, typename Join>
inline float reduce(std::size_t n, float start, const Step& step, const Join& join) {
    constexpr std::size_t batches = interleaved / lanes;
    Batch reduced[batches];
    SOFTALIGN_UNROLL
    for (std::size_t u = 0; u < batches; ++u) reduced[u] = Batch(start);
    std::size_t i = 0;
    for (; i + interleaved <= n; i += interleaved) {
        SOFTALIGN_UNROLL
        for (std::size_t u = 0; u < batches; ++u) reduced[u] = step(reduced[u], i + u * lanes, Whole{});
    }
    for (std::size_t u = 0; i < n; i += lanes, ++u) {
        reduced[u] = i + lanes <= n ? step(reduced[u], i, Whole{}) : step(reduced[u], i, Part{n - i});
    }
    float part[interleaved];
    SOFTALIGN_UNROLL
    for (std::size_t u = 0; u < batches; ++u) store(part + u * lanes, reduced[u]);
    return join_by_halves(part, join);
}

template <typename Step>
inline float reduce_sum(std::size_t n, const Step& step) {
    return reduce(n, 0.0F, step, [](float a, float b) { return a + b; });
}

}  // namespace
}  // namespace softalign::simd::vectorised
