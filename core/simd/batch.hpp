#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <xsimd/xsimd.hpp>

/// Before a loop of few, constant turns, whose variables are to be registers.
#define SOFTALIGN_UNROLL _Pragma("GCC unroll 8")

/// What the kernels need of xsimd, the same from version 8 on, whose names and missing parts this file hides.
///
/// Included only by the translation unit of one instruction set, which is compiled for it and defines
/// SOFTALIGN_ARCH, xsimd's name for it. Everything is in an unnamed namespace: the linker must never take a function
/// compiled for one processor into code that runs on another.
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

/// a b + c, rounded once where the instruction set can, twice elsewhere: always the same on one instruction set.
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

/// c - a b
inline Batch subtract_product(Batch a, Batch b, Batch c) {
#if defined(__AVX512F__)
    return _mm512_fnmadd_ps(a, b, c);
#elif defined(__FMA__)
    return _mm256_fnmadd_ps(a, b, c);
#elif defined(__aarch64__)
    return vfmsq_f32(c, a, b);
#else
    return c - a * b;
#endif
}

/// a / b, rounded once: xsimd's division of floats is an approximation on NEON.
inline Batch divide(Batch a, Batch b) {
#if defined(__aarch64__)
    return vdivq_f32(a, b);
#else
    return a / b;
#endif
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

inline float sum_of_lanes(Batch x) {
#if XSIMD_VERSION_MAJOR < 9
    return xsimd::hadd(x);
#else
    return xsimd::reduce_add(x);
#endif
}

inline float greatest_lane(Batch x) {
    float lane[lanes];
    store(lane, x);
    float greatest = lane[0];
    for (std::size_t i = 1; i < lanes; ++i) greatest = lane[i] > greatest ? lane[i] : greatest;
    return greatest;
}

/// How a kernel reads and writes one batch: all of it, or the last `count` < lanes elements of a span, by way of a
/// buffer. The end of a span thus goes through the same arithmetic as its middle.
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

/// Four interleaved reductions, because one would wait for itself; `step(reduced, index, Whole or Part)` continues one,
/// `join` makes one of two. The order depends on n alone.
template <typename Step, typename Join>
inline Batch reduce(std::size_t n, Batch start, const Step& step, const Join& join) {
    Batch r0 = start;
    Batch r1 = start;
    Batch r2 = start;
    Batch r3 = start;
    std::size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        r0 = step(r0, i, Whole{});
        r1 = step(r1, i + lanes, Whole{});
        r2 = step(r2, i + 2 * lanes, Whole{});
        r3 = step(r3, i + 3 * lanes, Whole{});
    }
    for (; i + lanes <= n; i += lanes) r0 = step(r0, i, Whole{});
    if (i < n) r1 = step(r1, i, Part{n - i});
    return join(join(r0, r1), join(r2, r3));
}

template <typename Step>
inline float reduce_sum(std::size_t n, const Step& step) {
    return sum_of_lanes(reduce(n, Batch(0.0F), step, [](Batch a, Batch b) { return a + b; }));
}

}  // namespace
}  // namespace softalign::simd::vectorised
