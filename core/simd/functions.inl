// exp, the logistic function, tanh, and the gradients of the last two, for the batches of batch.hpp or the single
// elements of scalar_batch.hpp. The error bounds are tested.

namespace softalign::simd::vectorised {
namespace {

/// a b + c with the product rounded before the sum, so that all functions give the same bits on every instruction set.
/// The alternative is Fused of batch.hpp.
struct Portable {
    static Batch multiply_add(Batch a, Batch b, Batch c) { return a * b + c; }
};

/// e^y = power (1 + fraction), with power = 2^n for the integer n nearest to y / ln 2. Keeping the two apart gives tanh
/// e^y - 1 without cancellation.
struct Exponential {
    Batch power;
    Batch fraction;
};

/// For y in [-87.3, 88]: the relative error of `fraction` is a few 1e-8.
template <typename Arithmetic>
inline Exponential exponential(Batch y) {
    // Adding 1.5 * 2^23 rounds to an integer and leaves that integer in the lowest bits: conversions are slow in
    // WebAssembly.
    const Batch rounder(12582912.0F);
    const Batch rounded = Arithmetic::multiply_add(y, Batch(1.44269504F), rounder);
    const Batch n = rounded - rounder;
    // ln 2 in two parts; the product of n and the first is exact.
    const Batch rest = Arithmetic::multiply_add(n, Batch(-0.693359375F), y);
    const Batch r = Arithmetic::multiply_add(n, Batch(2.12194440e-4F), rest);
    // (e^r - 1 - r) / r² on [-ln 2 / 2, ln 2 / 2]: minimax, relative to e^r - 1.
    Batch q(0x1.6d99bep-10F);
    q = Arithmetic::multiply_add(q, r, Batch(0x1.12288p-7F));
    q = Arithmetic::multiply_add(q, r, Batch(0x1.555486p-5F));
    q = Arithmetic::multiply_add(q, r, Batch(0x1.5554aep-3F));
    q = Arithmetic::multiply_add(q, r, Batch(0.5F));
    const IntegerBatch exponent = (as_integer(rounded) << 23) + as_integer(Batch(1.0F));
    return {as_float(exponent), Arithmetic::multiply_add(r * r, q, r)};
}

/// e^x for x <= 0, or 0 if that is not a normal number.
template <typename Arithmetic = Portable>
inline Batch exp_of_negative(Batch x) {
    const Batch least(-87.33F);
    const Exponential e = exponential<Arithmetic>(maximum(least, x));
    return choose(x < least, Batch(0.0F), Arithmetic::multiply_add(e.power, e.fraction, e.power));
}

/// 1 / (1 + e^-x), with a small relative error on both sides.
inline Batch sigmoid(Batch x) {
    const Batch e = exp_of_negative(-absolute(x));
    return divide(choose(x < Batch(0.0F), e, Batch(1.0F)), Batch(1.0F) + e);
}

/// tanh x = (e^2|x| - 1) / (e^2|x| + 1), with the sign of x.
inline Batch accurate_tanh(Batch x) {
    const Batch magnitude = absolute(x);
    const Exponential e = exponential<Portable>(minimum(Batch(18.5F), magnitude + magnitude));
    const Batch less_one = e.power * e.fraction + (e.power - Batch(1.0F));
    return with_sign_of(x, divide(less_one, less_one + Batch(2.0F)));
}

/// tanh with an absolute error below 1e-6, in two thirds of the time: x P(x²) / Q(x²), minimax on [-7.7, 7.7].
template <typename Arithmetic = Portable>
inline Batch attention_tanh(Batch x) {
    const Batch inside = minimum(Batch(7.7F), maximum(Batch(-7.7F), x));
    const Batch square = inside * inside;
    Batch p(1.1624437542594188e-05F);
    p = Arithmetic::multiply_add(p, square, Batch(0.0029677189654570614F));
    p = Arithmetic::multiply_add(p, square, Batch(0.12940541395246974F));
    p = Arithmetic::multiply_add(p, square, Batch(0.9999995374527868F));
    Batch q(2.5249236987663667e-07F);
    q = Arithmetic::multiply_add(q, square, Batch(0.00024112070509139642F));
    q = Arithmetic::multiply_add(q, square, Batch(0.023881975302737113F));
    q = Arithmetic::multiply_add(q, square, Batch(0.46273700653106614F));
    q = Arithmetic::multiply_add(q, square, Batch(1.0F));
    return divide(inside * p, q);
}

/// x (1 - t²)
inline Batch tanh_gradient(Batch x, Batch t) {
    return x * (Batch(1.0F) - t * t);
}

/// x s (1 - s)
inline Batch sigmoid_gradient(Batch x, Batch s) {
    return x * (s - s * s);
}

}  // namespace
}  // namespace softalign::simd::vectorised
