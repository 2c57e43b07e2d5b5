#include <algorithm>
#include <numeric>

#include "core/simd/kernels.hpp"
#include "tests/simd/instruction_sets.hpp"

using namespace softalign;
using namespace softalign::tests;
using Floats = std::vector<float>;
using Real = long double;

namespace {

const float infinity = std::numeric_limits<float>::infinity();

Real real(float x) {
    return static_cast<Real>(x);
}

Real exact_log_sum_exp(const Floats& x) {
    const Real most = real(*std::max_element(x.begin(), x.end()));
    Real sum = 0;
    for (const float element : x) sum += std::exp(real(element) - most);
    return most + std::log(sum);
}

/// Logits of every kind: ordinary, far apart, all equal, with excluded ones, and so large that their exp overflows.
std::vector<Floats> logits_of_every_kind(std::size_t n) {
    Floats excluded = random_floats(n, 3, 4.0F);
    for (std::size_t i = 1; i < n; i += 2) excluded[i] = -infinity;
    Floats huge = random_floats(n, 4, 4.0F);
    for (float& logit : huge) logit += 1000.0F;
    return {random_floats(n, 1, 4.0F), random_floats(n, 2, 200.0F), Floats(n, 0.25F), excluded, huge};
}

void for_logits(void (*body)(const Floats&)) {
    for_each_instruction_set([&] {
        for (const std::size_t n : lengths) {
            if (n == 0) continue;
            for (const Floats& logits : logits_of_every_kind(n)) {
                CAPTURE(n, logits[0]);
                body(logits);
            }
        }
    });
}

}  // namespace

TEST_CASE("a softmax sums to one, equals its definition, and gives an excluded element exactly nothing") {
    for_logits([](const Floats& logits) {
        Floats p = logits;
        simd::softmax(p.data(), p.size());
        const Real log_sum = exact_log_sum_exp(logits);
        bool right = true;
        for (std::size_t i = 0; i < p.size(); ++i) {
            right = right && std::fabs(real(p[i]) - std::exp(real(logits[i]) - log_sum)) < 1e-6L;
            right = right && (logits[i] != -infinity || p[i] == 0.0F);
        }
        CHECK(right);
        CHECK(std::accumulate(p.begin(), p.end(), 0.0) == Approx(1.0).margin(1e-5));
    });
}

TEST_CASE("log-sum-exp and log-softmax equal their definitions") {
    for_logits([](const Floats& logits) {
        const Real log_sum = exact_log_sum_exp(logits);
        const Real tolerance = 2e-6L + 1e-7L * std::fabs(log_sum);
        CHECK(std::fabs(real(simd::log_sum_exp(logits.data(), logits.size())) - log_sum) <= tolerance);
        Floats y = logits;
        simd::log_softmax(y.data(), y.size());
        bool right = true;
        for (std::size_t i = 0; i < y.size(); ++i) {
            const Real truth = real(logits[i]) - log_sum;
            right =
                right && (logits[i] == -infinity ? y[i] == -infinity
                                                 : std::fabs(real(y[i]) - truth) <= 2e-6L + 2e-7L * std::fabs(truth));
        }
        CHECK(right);
    });
}

TEST_CASE("the backward of a softmax follows from its output") {
    for_each_instruction_set([&] {
        for (const std::size_t n : lengths) {
            if (n == 0) continue;
            CAPTURE(n);
            Floats y = random_floats(n, 1);
            simd::softmax(y.data(), n);
            const Floats dy = random_floats(n, 2);
            Real mean = 0;
            for (std::size_t i = 0; i < n; ++i) mean += real(y[i]) * real(dy[i]);
            Floats dx = dy;
            simd::softmax_backward(y.data(), dx.data(), dx.data(), n);
            bool right = true;
            for (std::size_t i = 0; i < n; ++i) {
                right = right && std::fabs(real(dx[i]) - real(y[i]) * (real(dy[i]) - mean)) < 1e-6L;
            }
            CHECK(right);
        }
    });
}

TEST_CASE("cross-entropy returns the loss and leaves its gradient, with and without smoothing") {
    for_each_instruction_set([&] {
        for (const std::size_t n : lengths) {
            if (n == 0) continue;
            for (const Floats& logits : {random_floats(n, 1, 4.0F), random_floats(n, 2, 200.0F), Floats(n, 0.25F)}) {
                for (const float smoothing : {0.0F, 0.1F}) {
                    for (const std::size_t target : {std::size_t{0}, n / 2, n - 1}) {
                        CAPTURE(n, smoothing, target);
                        const float gradient_scale = 0.3F;
                        const Real log_sum = exact_log_sum_exp(logits);
                        const Real s = real(smoothing);
                        Real loss = (1 - s) * (log_sum - real(logits[target]));
                        for (const float logit : logits) loss += s / static_cast<Real>(n) * (log_sum - real(logit));
                        Floats gradient = logits;
                        const float measured =
                            simd::cross_entropy(gradient.data(), n, target, smoothing, gradient_scale);
                        CHECK(std::fabs(real(measured) - loss) <= 3e-6L + 3e-7L * loss);
                        Real worst = 0;
                        for (std::size_t j = 0; j < n; ++j) {
                            const Real wanted = s / static_cast<Real>(n) + (j == target ? 1 - s : 0);
                            const Real truth = (std::exp(real(logits[j]) - log_sum) - wanted) * real(gradient_scale);
                            worst = std::max(worst, std::fabs(real(gradient[j]) - truth));
                        }
                        CHECK(worst < 1e-6L);
                    }
                }
            }
        }
    });
}

TEST_CASE("a diverged row of logits has a loss that is not a number") {
    for_each_instruction_set([&] {
        Floats logits(20, std::numeric_limits<float>::quiet_NaN());
        CHECK(std::isnan(simd::cross_entropy(logits.data(), logits.size(), 3, 0.0F, 1.0F)));
    });
}
