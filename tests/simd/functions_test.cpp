// The accuracy of tanh, the logistic function and exp, as the kernels that use them show it.

#include "core/simd/kernels.hpp"
#include "tests/simd/instruction_sets.hpp"

using namespace softalign;
using namespace softalign::tests;

namespace {

/// Every sign, every exponent, and 200 mantissas of each, a multiple of no batch size.
std::vector<float> all_over_the_floats(float magnitude) {
    std::vector<float> values;
    for (std::uint64_t bits = 0; bits <= 0xFFFFFFFF; bits += 41'943) {
        const std::uint32_t pattern = static_cast<std::uint32_t>(bits);
        float value;
        std::memcpy(&value, &pattern, sizeof value);
        if (std::fabs(value) <= magnitude) values.push_back(value);
    }
    return values;
}

using Inputs = std::initializer_list<const std::vector<float>*>;

const float infinity = std::numeric_limits<float>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();
const float greatest_float = std::numeric_limits<float>::max();

long double logistic(long double x) {
    return 1.0L / (1.0L + std::exp(-x));
}

}  // namespace

TEST_CASE("tanh is within 2.5 units in the last place everywhere") {
    const std::vector<float> x = all_over_the_floats(greatest_float);
    std::vector<float> around_one(400'000);
    for (std::size_t i = 0; i < around_one.size(); ++i) around_one[i] = -20.0F + 1e-4F * static_cast<float>(i);
    for_each_instruction_set([&] {
        for (const std::vector<float>* inputs : Inputs{&x, &around_one}) {
            std::vector<float> y(inputs->size());
            simd::tanh(inputs->data(), y.data(), inputs->size());
            double worst = 0.0;
            for (std::size_t i = 0; i < y.size(); ++i) {
                worst = std::max(worst, ulps(y[i], std::tanh(static_cast<long double>((*inputs)[i]))));
            }
            CHECK(worst <= 2.5);
        }
    });
}

TEST_CASE("tanh keeps signs, limits and NaNs") {
    for_each_instruction_set([&] {
        const float x[] = {0.0F, -0.0F, infinity, -infinity, not_a_number, 1e30F};
        float y[6];
        simd::tanh(x, y, 6);
        CHECK(y[0] == 0.0F);
        CHECK_FALSE(std::signbit(y[0]));
        CHECK(std::signbit(y[1]));
        CHECK(y[2] == 1.0F);
        CHECK(y[3] == -1.0F);
        CHECK(std::isnan(y[4]));
        CHECK(y[5] == 1.0F);
    });
}

TEST_CASE("the gates' logistic function has a small relative error on both sides") {
    std::vector<float> x(200'000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = -86.0F + 1e-3F * static_cast<float>(i);
    for_each_instruction_set([&] {
        // The output gate of a cell; the others are zero.
        const std::size_t n = x.size();
        std::vector<float> gates(4 * n);
        std::copy(x.begin(), x.end(), gates.begin() + static_cast<std::ptrdiff_t>(3 * n));
        std::vector<float> zeros(n);
        std::vector<float> c(n);
        std::vector<float> tanh_c(n);
        std::vector<float> h(n);
        simd::lstm_cell(gates.data(), zeros.data(), c.data(), tanh_c.data(), h.data(), n);
        double worst = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            worst = std::max(worst, ulps(gates[3 * n + i], logistic(static_cast<long double>(x[i]))));
        }
        CHECK(worst <= 4.0);
    });
}

TEST_CASE("the gates' logistic function keeps limits and NaNs") {
    for_each_instruction_set([&] {
        float gates[] = {infinity, -infinity, not_a_number, 200.0F, -200.0F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                         0,        0};
        const float zeros[5] = {};
        float c[5];
        float tanh_c[5];
        float h[5];
        simd::lstm_cell(gates, zeros, c, tanh_c, h, 5);
        CHECK(gates[0] == 1.0F);
        CHECK(gates[1] == 0.0F);
        CHECK(std::isnan(gates[2]));
        CHECK(gates[3] == 1.0F);
        CHECK(gates[4] >= 0.0F);
        CHECK(gates[4] < 1e-37F);
        CHECK(gates[5] == 0.5F);
    });
}

TEST_CASE("the attention's tanh has an absolute error below 1e-6") {
    const std::vector<float> far = all_over_the_floats(greatest_float);
    std::vector<float> near(400'000);
    for (std::size_t i = 0; i < near.size(); ++i) near[i] = -20.0F + 1e-4F * static_cast<float>(i);
    for_each_instruction_set([&] {
        const float query = 0.0F;
        const float v = 1.0F;
        for (const std::vector<float>* keys : Inputs{&far, &near}) {
            std::vector<float> energies(keys->size());
            simd::additive_energies({keys->data(), &query, &v, keys->size(), 1}, energies.data());
            double worst = 0.0;
            for (std::size_t i = 0; i < energies.size(); ++i) {
                const double truth = std::tanh(static_cast<double>((*keys)[i]));
                worst = std::max(worst, std::fabs(static_cast<double>(energies[i]) - truth));
            }
            CHECK(worst <= 1e-6);
        }
        float energy = 0.0F;
        simd::additive_energies({&not_a_number, &query, &v, 1, 1}, &energy);
        CHECK(std::isnan(energy));
    });
}

TEST_CASE("the softmax's exp is within 4 units in the last place, and next to nothing below the normal numbers") {
    std::vector<float> x(100'000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = -1e-3F * static_cast<float>(i);
    for_each_instruction_set([&] {
        // Of two logits the second's probability is e^x / (1 + e^x): half of it where x = 0, all the rest of it else.
        double worst = 0.0;
        bool tiny = true;
        for (const float logit : x) {
            float pair[] = {0.0F, logit};
            simd::softmax(pair, 2);
            const long double truth = logistic(static_cast<long double>(logit));
            if (logit > -87.3F) worst = std::max(worst, ulps(pair[1], truth));
            if (logit < -87.5F) tiny = tiny && pair[1] >= 0.0F && pair[1] < 1e-37F;
        }
        CHECK(worst <= 4.0);
        CHECK(tiny);
    });
}
