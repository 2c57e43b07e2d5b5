// exp, the logistic function and tanh of a batch. The bounds are tested.

#include <cstdint>

#include "core/simd/batch.hpp"

namespace softalign::simd::vectorised {
namespace {

/// e^y = power (1 + fraction), with power = 2^n for the integer n nearest to y / ln 2. Keeping the two apart lets tanh
/// have e^y - 1 without cancellation.
struct Exponential {
    Batch power;
    Batch fraction;
};

/// For y in [-87.3, 88]: the relative error of `fraction` is a few 1e-8.
inline Exponential exponential(Batch y) {
    // Adding 1.5 * 2^23 rounds to an integer and leaves that integer in the lowest bits: conversions are slow in
    // WebAssembly.
    const Batch rounder(12582912.0F);
    const Batch rounded = multiply_add(y, Batch(1.44269504F), rounder);
    const Batch n = rounded - rounder;
    // ln 2 in two parts; the product of n and the first is exact.
    const Batch r = subtract_product(n, Batch(-2.12194440e-4F), subtract_product(n, Batch(0.693359375F), y));
    // (e^r - 1 - r) / r² on [-ln 2 / 2, ln 2 / 2]: minimax, relative to e^r - 1.
    Batch q(0x1.6d99bep-10F);
    q = multiply_add(q, r, Batch(0x1.12288p-7F));
    q = multiply_add(q, r, Batch(0x1.555486p-5F));
    q = multiply_add(q, r, Batch(0x1.5554aep-3F));
    q = multiply_add(q, r, Batch(0.5F));
    const IntegerBatch exponent = (as_integer(rounded) << 23) + as_integer(Batch(1.0F));
    return {as_float(exponent), multiply_add(r * r, q, r)};
}

/// e^x for x <= 0, 0 where that is not a normal number.
inline Batch exp_of_negative(Batch x) {
    const Batch least(-87.33F);
    const Exponential e = exponential(xsimd::max(least, x));
    return xsimd::select(x < least, Batch(0.0F), multiply_add(e.power, e.fraction, e.power));
}

/// 1 / (1 + e^-x), with a small relative error on both sides.
inline Batch sigmoid(Batch x) {
    const Batch e = exp_of_negative(-xsimd::abs(x));
    return divide(xsimd::select(x < Batch(0.0F), e, Batch(1.0F)), Batch(1.0F) + e);
}

/// tanh x = (e^2|x| - 1) / (e^2|x| + 1), with the sign of x.
inline Batch accurate_tanh(Batch x) {
    const Batch magnitude = xsimd::abs(x);
    const Exponential e = exponential(xsimd::min(Batch(18.5F), magnitude + magnitude));
    const Batch less_one = multiply_add(e.power, e.fraction, e.power - Batch(1.0F));
    return divide(less_one, less_one + Batch(2.0F)) | (x & Batch(-0.0F));
}

/// tanh with an absolute error below 1e-6, at two thirds of the price: x P(x²) / Q(x²), minimax on [-7.7, 7.7].
inline Batch attention_tanh(Batch x) {
    const Batch inside = xsimd::min(Batch(7.7F), xsimd::max(Batch(-7.7F), x));
    const Batch square = inside * inside;
    Batch p(1.1624437542594188e-05F);
    p = multiply_add(p, square, Batch(0.0029677189654570614F));
    p = multiply_add(p, square, Batch(0.12940541395246974F));
    p = multiply_add(p, square, Batch(0.9999995374527868F));
    Batch q(2.5249236987663667e-07F);
    q = multiply_add(q, square, Batch(0.00024112070509139642F));
    q = multiply_add(q, square, Batch(0.023881975302737113F));
    q = multiply_add(q, square, Batch(0.46273700653106614F));
    q = multiply_add(q, square, Batch(1.0F));
    return divide(inside * p, q);
}

}  // namespace
}  // namespace softalign::simd::vectorised
