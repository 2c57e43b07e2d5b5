// The kernels of kernels.hpp, for the instruction set of the translation unit that includes this.

#include <math.h>  // C functions, because those of std are inline and would be shared between instruction sets

#include <cstddef>
#include <cstdint>

#include "core/simd/batch.hpp"
#include "core/simd/cells.inl"
#include "core/simd/kernels.hpp"

namespace softalign::simd::vectorised {
namespace {

// Element-wise -------------------------------------------------------------------------------------------------------

void tanh(const float* x, float* y, std::size_t n) {
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(y + i, accurate_tanh(at.load(x + i))); });
}

void tanh_backward(const float* x, const float* t, float* y, std::size_t n) {
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(y + i, tanh_gradient(at.load(x + i), at.load(t + i))); });
}

void add_scaled(float a, const float* x, float* y, std::size_t n) {
    const Batch factor(a);
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(y + i, at.load(y + i) + factor * at.load(x + i)); });
}

void add(const float* x, float* y, std::size_t n) {
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(y + i, at.load(y + i) + at.load(x + i)); });
}

void multiply_elements(const float* x, float* y, std::size_t n) {
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(y + i, at.load(y + i) * at.load(x + i)); });
}

void scale(float a, float* y, std::size_t n) {
    const Batch factor(a);
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(y + i, factor * at.load(y + i)); });
}

float dot(const float* x, const float* y, std::size_t n) {
    return reduce_sum(n, [=](Batch sum, std::size_t i, auto at) { return sum + at.load(x + i) * at.load(y + i); });
}

double sum_of_squares(const float* x, std::size_t n) {
    double part[interleaved] = {};
    std::size_t i = 0;
    for (; i + interleaved <= n; i += interleaved) {
        for (std::size_t j = 0; j < interleaved; ++j) {
            const double element = static_cast<double>(x[i + j]);
            part[j] += element * element;
        }
    }
    for (std::size_t j = 0; i < n; ++i, ++j) part[j] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return join_by_halves(part, [](double a, double b) { return a + b; });
}

inline float greatest(const float* x, std::size_t n) {
    return reduce(
        n, x[0], [=](Batch most, std::size_t i, auto at) { return maximum(most, at.load(x + i, x[0])); },
        [](float a, float b) { return a > b ? a : b; });
}

std::size_t argmax(const float* x, std::size_t n) {
    const float most = greatest(x, n);
    std::size_t i = 0;
    while (i + lanes <= n && !xsimd::any(load(x + i) == Batch(most))) i += lanes;
    while (i < n && x[i] != most) ++i;
    return i < n ? i : 0;  // there is no greatest element only if there are NaNs
}

// Attention ----------------------------------------------------------------------------------------------------------

void additive_energies(const AdditiveEnergies& of, float* energies) {
    const auto [keys, query, v, positions, units] = of;
    for (std::size_t i = 0; i < positions; ++i) {
        const float* const key = keys + i * units;
        energies[i] = reduce_sum(units, [key, query = query, v = v](Batch sum, std::size_t a, auto at) {
            return sum + at.load(v + a) * attention_tanh(at.load(key + a) + at.load(query + a));
        });
    }
}

void additive_energies_backward(const AdditiveEnergies& forward, const float* denergies, const AdditiveGradients& to) {
    const float* const query = forward.query;
    const float* const v = forward.v;
    float* const dquery = to.query;
    float* const dv = to.v;
    for (std::size_t i = 0; i < forward.positions; ++i) {
        const Batch denergy(denergies[i]);
        const float* const key = forward.keys + i * forward.units;
        float* const dkey = to.keys + i * forward.units;
        for_each_batch(forward.units, [=](std::size_t a, auto at) {
            const Batch t = attention_tanh<Fused>(at.load(key + a) + at.load(query + a));
            const Batch dsum = tanh_gradient(denergy * at.load(v + a), t);
            at.store(dkey + a, at.load(dkey + a) + dsum);
            at.store(dquery + a, at.load(dquery + a) + dsum);
            at.store(dv + a, multiply_add(denergy, t, at.load(dv + a)));
        });
    }
}

void rows_dot(const float* rows, const float* x, float factor, float* y, std::size_t positions, std::size_t size) {
    for (std::size_t i = 0; i < positions; ++i) y[i] = factor * dot(rows + i * size, x, size);
}

void weighted_sum(const float* weights, const float* rows, float* y, std::size_t positions, std::size_t size,
                  bool accumulate) {
    // Four batches of columns at a time keep their sums in registers while the rows pass.
    std::size_t k = 0;
    for (; k + 4 * lanes <= size; k += 4 * lanes) {
        Batch sum[4];
        SOFTALIGN_UNROLL
        for (std::size_t u = 0; u < 4; ++u) sum[u] = accumulate ? load(y + k + u * lanes) : Batch(0.0F);
        for (std::size_t i = 0; i < positions; ++i) {
            const Batch weight(weights[i]);
            const float* const row = rows + i * size + k;
            SOFTALIGN_UNROLL
            for (std::size_t u = 0; u < 4; ++u) sum[u] = sum[u] + weight * load(row + u * lanes);
        }
        SOFTALIGN_UNROLL
        for (std::size_t u = 0; u < 4; ++u) store(y + k + u * lanes, sum[u]);
    }
    for_each_batch(size - k, [=](std::size_t rest, auto at) {
        float* const out = y + k + rest;
        Batch sum = accumulate ? at.load(out) : Batch(0.0F);
        for (std::size_t i = 0; i < positions; ++i) {
            sum = sum + Batch(weights[i]) * at.load(rows + i * size + k + rest);
        }
        at.store(out, sum);
    });
}

void add_outer(const float* weights, const float* x, float* rows, std::size_t positions, std::size_t size) {
    for (std::size_t i = 0; i < positions; ++i) add_scaled(weights[i], x, rows + i * size, size);
}

// Softmax ------------------------------------------------------------------------------------------------------------

/// x_i = e^(x_i - most); returns the sum.
template <typename Arithmetic>
inline float exponentials(float* x, std::size_t n, float most) {
    return reduce_sum(n, [=](Batch sum, std::size_t i, auto at) {
        const Batch e = exp_of_negative<Arithmetic>(at.load(x + i, -INFINITY) - Batch(most));
        at.store(x + i, e);
        return sum + e;
    });
}

/// log(sum_i e^(x_i - most))
inline float log_of_sum(const float* x, std::size_t n, float most) {
    const float sum = reduce_sum(n, [=](Batch so_far, std::size_t i, auto at) {
        return so_far + exp_of_negative(at.load(x + i, -INFINITY) - Batch(most));
    });
    return static_cast<float>(::log(static_cast<double>(sum)));
}

void softmax(float* x, std::size_t n) {
    const float sum = exponentials<Portable>(x, n, greatest(x, n));
    scale(1.0F / sum, x, n);
}

void softmax_backward(const float* y, const float* dy, float* dx, std::size_t n) {
    const Batch mean(dot(y, dy, n));
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(dx + i, at.load(y + i) * (at.load(dy + i) - mean)); });
}

float log_sum_exp(const float* x, std::size_t n) {
    const float most = greatest(x, n);
    return most + log_of_sum(x, n, most);
}

void log_softmax(float* x, std::size_t n) {
    const float most = greatest(x, n);
    const Batch shift(most);
    const Batch log_sum(log_of_sum(x, n, most));
    for_each_batch(n, [=](std::size_t i, auto at) { at.store(x + i, (at.load(x + i) - shift) - log_sum); });
}

float cross_entropy(float* logits, std::size_t vocabulary, std::size_t target, float smoothing, float gradient_scale) {
    const float most = greatest(logits, vocabulary);
    const float at_target = logits[target] - most;
    float mean = 0.0F;
    if (smoothing != 0.0F) {
        const Batch shift(most);
        mean = reduce_sum(vocabulary, [=](Batch sum, std::size_t j,
                                          auto at) { return sum + (at.load(logits + j, most) - shift); }) /
               static_cast<float>(vocabulary);
    }
    const float sum = exponentials<Fused>(logits, vocabulary, most);
    const float log_sum = static_cast<float>(::log(static_cast<double>(sum)));

    const Batch factor(gradient_scale / sum);
    const Batch uniform(gradient_scale * smoothing / static_cast<float>(vocabulary));
    for_each_batch(vocabulary, [=](std::size_t j, auto at) {
        at.store(logits + j, multiply_add(factor, at.load(logits + j), -uniform));
    });
    logits[target] -= (1.0F - smoothing) * gradient_scale;
    return (1.0F - smoothing) * (log_sum - at_target) + smoothing * (log_sum - mean);
}

// Optimiser ----------------------------------------------------------------------------------------------------------

void adam(const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t n) {
    const Batch gradient_scale(step.gradient_scale);
    const Batch beta1(step.beta1);
    const Batch beta2(step.beta2);
    const Batch rest1(1.0F - step.beta1);
    const Batch rest2(1.0F - step.beta2);
    const Batch rate(step.rate / step.correction1);
    const Batch correction2(1.0F / step.correction2);
    const Batch epsilon(step.epsilon);
    for_each_batch(n, [=](std::size_t i, auto at) {
        const Batch g = gradient_scale * at.load(gradient + i);
        const Batch first = multiply_add(beta1, at.load(m + i), rest1 * g);
        const Batch second = multiply_add(beta2, at.load(v + i), rest2 * (g * g));
        at.store(m + i, first);
        at.store(v + i, second);
        at.store(w + i, at.load(w + i) - divide(rate * first, xsimd::sqrt(second * correction2) + epsilon));
    });
}

// The processor's limit ----------------------------------------------------------------------------------------------

std::size_t multiply_add_in_registers(std::size_t turns, float* sum) {
    // A result is ready after four to six cycles, and two start in each.
    constexpr std::size_t latency = 6;
    constexpr std::size_t units = 2;
    Batch x[latency][units];
    for (std::size_t i = 0; i < latency; ++i) {
        for (std::size_t u = 0; u < units; ++u) x[i][u] = Batch(static_cast<float>(i + u) * 0.001F);
    }
    const Batch factor(0.9999F);
    const Batch addend(1e-5F);
    for (std::size_t turn = 0; turn < turns; ++turn) {
        SOFTALIGN_UNROLL
        for (std::size_t i = 0; i < latency; ++i) {
            SOFTALIGN_UNROLL
            for (std::size_t u = 0; u < units; ++u) x[i][u] = multiply_add(x[i][u], factor, addend);
        }
    }
    *sum = 0.0F;
    for (const auto& row : x) {
        for (const Batch& results : row) {
            float result[lanes];
            store(result, results);
            for (const float value : result) *sum += value;
        }
    }
    return turns * latency * units * lanes;
}

}  // namespace
}  // namespace softalign::simd::vectorised
