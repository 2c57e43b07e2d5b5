#include "core/simd/int8.hpp"

#include <algorithm>

#include "tests/simd/executors.hpp"
#include "tests/simd/instruction_sets.hpp"

using namespace softalign;
using namespace softalign::simd;
using namespace softalign::tests;
using Floats = std::vector<float>;

namespace {

struct Weights {
    std::size_t k;
    std::size_t n;
    std::vector<std::int8_t> integers;  // [N, K]
    Floats scales;                      // [N]

    Weights(std::size_t k_, std::size_t n_, unsigned seed) : k(k_), n(n_), integers(k_ * n_), scales(n_) {
        std::mt19937 generator(seed);
        std::uniform_int_distribution<int> integer(-128, 127);
        for (std::int8_t& weight : integers) weight = static_cast<std::int8_t>(integer(generator));
        for (float& scale : scales)
            scale = std::ldexp(1.0F + static_cast<float>(seed % 7) / 8.0F, integer(generator) / 32);
    }

    PackedInt8Matrix pack() const { return PackedInt8Matrix::pack_transposed(integers.data(), k, scales.data(), n, k); }
};

Floats product(Executor& executor, const Floats& a, std::size_t rows, const Weights& b, Update update,
               const Floats& before, const float* bias = nullptr) {
    Floats c = before;
    multiply(executor, {a.data(), rows, b.k, b.k}, b.pack(), {c.data(), rows, b.n, b.n}, update, bias);
    return c;
}

struct Shape {
    std::size_t m;
    std::size_t k;
    std::size_t n;
};
const std::vector<Shape> shapes = {{1, 1, 1},   {1, 64, 64},  {2, 0, 3},    {3, 7, 5},
                                   {5, 65, 17}, {9, 128, 65}, {13, 33, 31}, {1, 1023, 130}};

}  // namespace

TEST_CASE("a product with 8-bit weights is close to that of the floats they stand for") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        for (const auto [m, k, n] : shapes) {
            CAPTURE(m, k, n);
            const Weights b(k, n, 3);
            const Floats a = random_floats(m * k, 1, 3.0F);
            const Floats before = random_floats(m * n, 2);
            const Floats bias = random_floats(n, 4);
            const Floats replaced = product(serial, a, m, b, Update::replace, before);
            const Floats with_bias = product(serial, a, m, b, Update::replace, before, bias.data());
            const Floats added = product(serial, a, m, b, Update::add, before);
            bool right = true;
            for (std::size_t i = 0; i < m; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    double sum = 0.0;
                    double weights = 0.0;
                    for (std::size_t x = 0; x < k; ++x) {
                        const double weight =
                            static_cast<double>(b.integers[j * k + x]) * static_cast<double>(b.scales[j]);
                        sum += static_cast<double>(a[i * k + x]) * weight;
                        weights += std::fabs(weight);
                    }
                    // Half a unit of what is multiplied, 3 being 32767 of them; then the float's own rounding.
                    const double tolerance = 1e-6 + weights * (3.0 * 0.5 / 32767.0) * 1.0001 + 1e-6 * std::fabs(sum);
                    const std::size_t at = i * n + j;
                    const auto close = [&](float result, double truth) {
                        return std::fabs(static_cast<double>(result) - truth) <= tolerance;
                    };
                    right = right && close(replaced[at], sum) &&
                            close(with_bias[at], sum + static_cast<double>(bias[j])) &&
                            close(added[at], sum + static_cast<double>(before[at]));
                }
            }
            CHECK(right);
        }
    });
}

TEST_CASE("a product with 8-bit weights is the same bits on every instruction set") {
    SerialExecutor serial;
    for (const Shape& shape : shapes) {
        const std::size_t m = shape.m;
        const std::size_t k = shape.k;
        const std::size_t n = shape.n;
        CAPTURE(m, k, n);
        const Weights b(k, n, 3);
        const Floats bias = random_floats(n, 4);
        for (const Floats& a : {random_floats(m * k, 1, 3.0F), nasty_floats(m * k, 2)}) {
            std::vector<Floats> results;
            for_each_instruction_set([&] {
                results.push_back(product(serial, a, m, b, Update::replace, Floats(m * n), bias.data()));
                CHECK(same_bits(results.back(), results.front()));
            });
        }
    }
}

TEST_CASE("the integer sums cannot overflow") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        Weights b(4001, 3, 1);
        std::fill(b.integers.begin(), b.integers.end(), static_cast<std::int8_t>(-128));
        std::fill(b.scales.begin(), b.scales.end(), 1.0F);
        const Floats a(b.k, 2.0F);
        const Floats c = product(serial, a, 1, b, Update::replace, Floats(3));
        for (const float element : c) CHECK(element == Approx(-2.0 * 128.0 * 4001.0));
    });
}

TEST_CASE("a row times 8-bit weights is the same bits whatever the rows beside it and the workers") {
    SerialExecutor serial;
    ReversedExecutor reversed;
    ThreadExecutor threads(3);
    for_each_instruction_set([&] {
        const Weights b(200, 300, 5);
        const Floats a = random_floats(64 * b.k, 1);
        const Floats all = product(serial, a, 64, b, Update::replace, Floats(64 * b.n));
        CHECK(same_bits(product(reversed, a, 64, b, Update::replace, Floats(64 * b.n)), all));
        CHECK(same_bits(product(threads, a, 64, b, Update::replace, Floats(64 * b.n)), all));
        for (const std::size_t rows : {1U, 2U, 7U}) {
            for (std::size_t first = 0; first + rows <= 64; first += 9) {
                CAPTURE(rows, first);
                const Floats some(a.begin() + static_cast<std::ptrdiff_t>(first * b.k), a.end());
                const Floats c = product(serial, some, rows, b, Update::replace, Floats(rows * b.n));
                CHECK(same_bits(c.data(), all.data() + first * b.n, rows * b.n));
            }
        }
    });
}

TEST_CASE("rows of zeros, of denormals and of no finite numbers have a result each, and spoil no other row") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        const Weights b(40, 21, 5);
        Floats a = random_floats(6 * b.k, 1);
        std::fill_n(a.begin() + 40, 40, 0.0F);
        std::fill_n(a.begin() + 80, 40, 1e-42F);
        a[3 * 40 + 7] = std::numeric_limits<float>::infinity();
        a[4 * 40 + 39] = std::numeric_limits<float>::quiet_NaN();
        const Floats c = product(serial, a, 6, b, Update::replace, Floats(6 * b.n));
        bool right = true;
        for (std::size_t j = 0; j < b.n; ++j) {
            right = right && std::isfinite(c[j]) && c[b.n + j] == 0.0F && c[2 * b.n + j] == 0.0F &&
                    std::isnan(c[3 * b.n + j]) && std::isnan(c[4 * b.n + j]) && std::isfinite(c[5 * b.n + j]);
        }
        CHECK(right);
    });
}
