#include "core/simd/kernels.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "tests/simd/instruction_sets.hpp"

using namespace softalign;
using namespace softalign::tests;
using Floats = std::vector<float>;

namespace {

/// Whether every element is within `units` roundings of `magnitude_i`, the size of the terms that made it up.
bool close(const Floats& result, const std::vector<long double>& truth, const std::vector<long double>& magnitude,
           long double units) {
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const long double tolerance = units * 6e-8L * magnitude[i] + 1e-44L;
        if (!(std::fabs(static_cast<long double>(result[i]) - truth[i]) <= tolerance)) return false;
    }
    return true;
}

using Doubles = std::vector<long double>;

Doubles exact(const Floats& values) {
    return Doubles(values.begin(), values.end());
}

/// Random and nasty input of every length.
void for_inputs(const std::function<void(const Floats&, const Floats&, const Floats&)>& body) {
    for (const std::size_t n : lengths) {
        CAPTURE(n);
        body(random_floats(n, 1), random_floats(n, 2), random_floats(n, 3));
        body(nasty_floats(n, 4), nasty_floats(n, 5), nasty_floats(n, 6));
    }
}

/// An element-wise kernel must give an element the same bits wherever it stands in the span.
void check_independent_of_position(const Floats& x,
                                   const std::function<void(const float*, float*, std::size_t)>& kernel) {
    Floats whole(x.size());
    kernel(x.data(), whole.data(), x.size());
    bool same = true;
    for (std::size_t first = 0; first < x.size(); first += 3) {
        const std::size_t count = std::min<std::size_t>(x.size() - first, 1 + first % 37);
        Floats part(count);
        kernel(x.data() + first, part.data(), count);
        same = same && same_bits(part.data(), whole.data() + first, count);
    }
    CHECK(same);
}

}  // namespace

TEST_CASE("sums, products and multiples of spans equal the scalar loop") {
    for_each_instruction_set([&] {
        for_inputs([&](const Floats& x, const Floats& y, const Floats&) {
            const std::size_t n = x.size();
            const float a = 0.7F;
            Doubles truth(n);
            Doubles magnitude(n);

            Floats result = y;
            simd::add_scaled(a, x.data(), result.data(), n);
            for (std::size_t i = 0; i < n; ++i) {
                const long double product = static_cast<long double>(a) * static_cast<long double>(x[i]);
                truth[i] = static_cast<long double>(y[i]) + product;
                magnitude[i] = std::fabs(product) + std::fabs(truth[i]);
            }
            CHECK(close(result, truth, magnitude, 2));

            result = y;
            simd::add(x.data(), result.data(), n);
            bool equal = true;
            for (std::size_t i = 0; i < n; ++i) equal = equal && result[i] == y[i] + x[i];

            result = y;
            simd::multiply_elements(x.data(), result.data(), n);
            for (std::size_t i = 0; i < n; ++i) equal = equal && result[i] == y[i] * x[i];

            result = y;
            simd::scale(a, result.data(), n);
            for (std::size_t i = 0; i < n; ++i) equal = equal && result[i] == y[i] * a;
            CHECK(equal);
        });
    });
}

TEST_CASE("the backward of tanh is x (1 - t²)") {
    for_each_instruction_set([&] {
        for (const std::size_t n : lengths) {
            const Floats x = random_floats(n, 1, 10.0F);
            const Floats t = random_floats(n, 2);
            Doubles truth(n);
            Doubles magnitude(n);
            for (std::size_t i = 0; i < n; ++i) {
                const long double square = static_cast<long double>(t[i]) * static_cast<long double>(t[i]);
                truth[i] = static_cast<long double>(x[i]) * (1.0L - square);
                magnitude[i] = std::fabs(static_cast<long double>(x[i]));
            }
            Floats in_place = x;
            simd::tanh_backward(in_place.data(), t.data(), in_place.data(), n);
            CHECK(close(in_place, truth, magnitude, 3));
        }
    });
}

TEST_CASE("dot products and sums of squares equal the scalar loop") {
    for_each_instruction_set([&] {
        for_inputs([&](const Floats& x, const Floats& y, const Floats&) {
            long double sum = 0;
            long double magnitude = 0;
            long double squares = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                const long double product = static_cast<long double>(x[i]) * static_cast<long double>(y[i]);
                sum += product;
                magnitude += std::fabs(product);
                squares += static_cast<long double>(x[i]) * static_cast<long double>(x[i]);
            }
            CHECK(close({simd::dot(x.data(), y.data(), x.size())}, {sum}, {magnitude},
                        static_cast<long double>(x.size()) + 1));
            const long double measured = static_cast<long double>(simd::sum_of_squares(x.data(), x.size()));
            CHECK(std::fabs(measured - squares) <= 1e-12L * squares);
        });
    });
}

TEST_CASE("a sum of squares does not overflow where floats would") {
    for_each_instruction_set([&] {
        const Floats x(100, 1e30F);
        CHECK(simd::sum_of_squares(x.data(), x.size()) == Approx(1e62));
    });
}

TEST_CASE("argmax finds the first of the greatest elements") {
    for_each_instruction_set([&] {
        for (const std::size_t n : lengths) {
            if (n == 0) continue;
            CAPTURE(n);
            const Floats x = random_floats(n, 7);
            CHECK(simd::argmax(x.data(), n) ==
                  static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin()));
            for (const std::size_t first : {std::size_t{0}, n / 3, n - 1}) {
                Floats twice = x;
                twice[first] = twice[n - 1] = 5.0F;
                CHECK(simd::argmax(twice.data(), n) == first);
            }
            const Floats excluded(n, -std::numeric_limits<float>::infinity());
            CHECK(simd::argmax(excluded.data(), n) == 0);
            const Floats unordered(n, std::numeric_limits<float>::quiet_NaN());
            CHECK(simd::argmax(unordered.data(), n) < n);
        }
    });
}

TEST_CASE("an element's result does not depend on where it stands") {
    for_each_instruction_set([&] {
        for (const Floats& x : {random_floats(200, 1, 5.0F), nasty_floats(200, 2)}) {
            check_independent_of_position(x, simd::tanh);
            check_independent_of_position(
                x, [](const float* in, float* out, std::size_t n) { simd::tanh_backward(in, in, out, n); });
            check_independent_of_position(x, [](const float* in, float* out, std::size_t n) {
                std::fill_n(out, n, 0.3F);
                simd::add_scaled(0.7F, in, out, n);
            });
            check_independent_of_position(x, [](const float* in, float* out, std::size_t n) {
                const simd::AdamStep step{0.5F, 0.01F, 0.9F, 0.999F, 1e-8F, 0.1F, 0.001F};
                Floats m(n, 0.1F);
                Floats v(n, 0.2F);
                std::fill_n(out, n, 0.3F);
                simd::adam(step, in, m.data(), v.data(), out, n);
            });
            check_independent_of_position(x, [](const float* in, float* out, std::size_t n) {
                Floats gates;
                for (int gate = 0; gate < 4; ++gate) gates.insert(gates.end(), in, in + n);
                Floats c(in, in + n);
                Floats tanh_c(n);
                simd::lstm_cell(gates.data(), c.data(), c.data(), tanh_c.data(), out, n);
            });
        }
    });
}

TEST_CASE("a weighted sum and an outer product equal the scalar loop") {
    for_each_instruction_set([&] {
        for (const std::size_t size : lengths) {
            for (const std::size_t positions : {0U, 1U, 5U, 30U}) {
                CAPTURE(size, positions);
                const Floats rows = random_floats(positions * size, 1);
                const Floats weights = random_floats(positions, 2);
                const Floats before = random_floats(size, 3);
                for (const bool accumulate : {false, true}) {
                    Doubles truth = accumulate ? exact(before) : Doubles(size);
                    for (std::size_t i = 0; i < positions; ++i) {
                        for (std::size_t k = 0; k < size; ++k) {
                            truth[k] +=
                                static_cast<long double>(weights[i]) * static_cast<long double>(rows[i * size + k]);
                        }
                    }
                    Floats y = before;
                    simd::weighted_sum(weights.data(), rows.data(), y.data(), positions, size, accumulate);
                    CHECK(close(y, truth, Doubles(size, static_cast<long double>(positions) + 1), 3));
                }

                Floats outer = rows;
                simd::add_outer(weights.data(), before.data(), outer.data(), positions, size);
                Doubles truth = exact(rows);
                for (std::size_t i = 0; i < positions; ++i) {
                    for (std::size_t k = 0; k < size; ++k) {
                        truth[i * size + k] +=
                            static_cast<long double>(weights[i]) * static_cast<long double>(before[k]);
                    }
                }
                CHECK(close(outer, truth, Doubles(positions * size, 2), 2));

                Floats dots(positions);
                simd::rows_dot(rows.data(), before.data(), 0.5F, dots.data(), positions, size);
                Doubles dot_truth(positions);
                for (std::size_t i = 0; i < positions; ++i) {
                    for (std::size_t k = 0; k < size; ++k) {
                        dot_truth[i] +=
                            0.5L * static_cast<long double>(rows[i * size + k]) * static_cast<long double>(before[k]);
                    }
                }
                CHECK(close(dots, dot_truth, Doubles(positions, static_cast<long double>(size)), 4));
            }
        }
    });
}

TEST_CASE("an Adam step follows the paper") {
    for_each_instruction_set([&] {
        for (const std::size_t n : lengths) {
            CAPTURE(n);
            const Floats gradient = random_floats(n, 1, 3.0F);
            Floats m = random_floats(n, 2, 0.1F);
            Floats v = random_floats(n, 3, 0.1F);
            for (float& second_moment : v) second_moment = std::fabs(second_moment);
            Floats w = random_floats(n, 4);
            const simd::AdamStep step{0.5F, 0.01F, 0.9F, 0.999F, 1e-8F, 0.19F, 0.002F};
            Doubles m_truth(n);
            Doubles v_truth(n);
            Doubles w_truth(n);
            for (std::size_t i = 0; i < n; ++i) {
                const long double g =
                    static_cast<long double>(step.gradient_scale) * static_cast<long double>(gradient[i]);
                const long double beta1 = static_cast<long double>(step.beta1);
                const long double beta2 = static_cast<long double>(step.beta2);
                m_truth[i] = beta1 * static_cast<long double>(m[i]) + (1 - beta1) * g;
                v_truth[i] = beta2 * static_cast<long double>(v[i]) + (1 - beta2) * g * g;
                const long double second = std::sqrt(v_truth[i] / static_cast<long double>(step.correction2));
                w_truth[i] =
                    static_cast<long double>(w[i]) - static_cast<long double>(step.rate) *
                                                         (m_truth[i] / static_cast<long double>(step.correction1)) /
                                                         (second + static_cast<long double>(step.epsilon));
            }
            simd::adam(step, gradient.data(), m.data(), v.data(), w.data(), n);
            const Doubles ones(n, 1);
            CHECK(close(m, m_truth, ones, 4));
            CHECK(close(v, v_truth, ones, 4));
            CHECK(close(w, w_truth, ones, 10));
        }
    });
}

TEST_CASE("multiply-adds on registers are all done and counted") {
    for_each_instruction_set([] {
        float sum = 0.0F;
        const std::size_t of_a_turn = simd::multiply_add_in_registers(1, &sum);
        constexpr std::size_t turns = 200000;
        CHECK(simd::multiply_add_in_registers(turns, &sum) == turns * of_a_turn);
        // Every register goes to x = 0.9999 x + 0.00001.
        CHECK(sum == Approx(0.1 * static_cast<double>(of_a_turn)).epsilon(0.01));
    });
}
