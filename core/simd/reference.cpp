// The scalar loops, which every other instruction set is compared with and which run where there is none. Written to be
// read.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simd/instruction_set.hpp"
#include "core/simd/reduction.hpp"
#include "core/simd/scalar_batch.hpp"

// After the batch that they compute with.
#include "core/simd/cells.inl"

namespace softalign::simd {
namespace reference {

using namespace vectorised;  // functions.inl and cells.inl, of one element

/// The sum of term(i) over n elements, in the order of every instruction set.
template <typename Term>
float sum_of(std::size_t n, const Term& term) {
    float part[interleaved] = {};
    for (std::size_t i = 0; i < n; ++i) part[i % interleaved] += term(i);
    return join_by_halves(part, [](float a, float b) { return a + b; });
}

void multiply_block(const ProductBlock& block, float*) {
    const std::size_t panel = scalar_instruction_set.panel_columns;
    for (std::size_t row = 0; row < block.rows; ++row) {
        const float* a = block.a + row * block.a_row_stride;
        float* c = block.c + row * block.c_row_stride;
        for (std::size_t column = 0; column < block.columns; ++column) {
            const float* b = block.b + column / panel * panel * block.k + column % panel;
            float sum = 0.0F;
            if (block.update == Update::add) {
                sum = c[column];
            } else if (block.bias != nullptr) {
                sum = block.bias[column];
            }
            for (std::size_t k = 0; k < block.k; ++k) sum += a[k * block.a_k_stride] * b[k * panel];
            c[column] = sum;
        }
    }
}

float quantise_row(const float* x, std::size_t n, std::int16_t* integers) {
    float magnitude = 0.0F;
    for (std::size_t i = 0; i < n; ++i) {
        if (!(std::fabs(x[i]) <= magnitude)) magnitude = std::fabs(x[i]);
        if (std::isnan(magnitude)) break;
    }
    std::fill_n(integers, n, static_cast<std::int16_t>(0));
    if (!std::isfinite(magnitude)) return std::numeric_limits<float>::quiet_NaN();
    const float scale = magnitude / greatest_factor;
    if (!std::isnormal(scale)) return 0.0F;
    const float factor = greatest_factor / magnitude;
    for (std::size_t i = 0; i < n; ++i) integers[i] = static_cast<std::int16_t>(std::nearbyint(x[i] * factor));
    return scale;
}

void multiply_int8_block(const Int8Block& block) {
    const std::size_t panel = scalar_instruction_set.panel_columns;
    for (std::size_t row = 0; row < block.rows; ++row) {
        const std::int16_t* a = block.a + row * 2 * block.pairs;
        float* c = block.c + row * block.c_row_stride;
        for (std::size_t column = 0; column < block.columns; ++column) {
            const std::int8_t* b = block.b + (column / panel * panel * block.pairs + column % panel) * 2;
            float product = 0.0F;
            for (std::size_t first = 0; first < block.pairs; first += exact_pairs) {
                const std::size_t last = std::min(first + exact_pairs, block.pairs);
                std::int32_t sum = 0;
                for (std::size_t k = 2 * first; k < 2 * last; ++k) sum += a[k] * b[k / 2 * panel * 2 + k % 2];
                product += static_cast<float>(sum);
            }
            float start = 0.0F;
            if (block.update == Update::add) {
                start = c[column];
            } else if (block.bias != nullptr) {
                start = block.bias[column];
            }
            c[column] = start + product * (block.a_scales[row] * block.b_scales[column]);
        }
    }
}

void tanh(const float* x, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] = accurate_tanh(x[i]);
}

void tanh_backward(const float* x, const float* t, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] = tanh_gradient(x[i], t[i]);
}

void add_scaled(float a, const float* x, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

void add(const float* x, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
}

void multiply_elements(const float* x, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] *= x[i];
}

void scale(float a, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] *= a;
}

float dot(const float* x, const float* y, std::size_t n) {
    return sum_of(n, [=](std::size_t i) { return x[i] * y[i]; });
}

double sum_of_squares(const float* x, std::size_t n) {
    double part[interleaved] = {};
    for (std::size_t i = 0; i < n; ++i) part[i % interleaved] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return join_by_halves(part, [](double a, double b) { return a + b; });
}

std::size_t argmax(const float* x, std::size_t n) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; ++i) {
        if (x[i] > x[best]) best = i;
    }
    return best;
}

void additive_energies(const AdditiveEnergies& of, float* energies) {
    for (std::size_t i = 0; i < of.positions; ++i) {
        const float* key = of.keys + i * of.units;
        energies[i] = sum_of(of.units, [&](std::size_t a) { return of.v[a] * attention_tanh(key[a] + of.query[a]); });
    }
}

void additive_energies_backward(const AdditiveEnergies& forward, const float* denergies, const AdditiveGradients& to) {
    for (std::size_t i = 0; i < forward.positions; ++i) {
        const float* key = forward.keys + i * forward.units;
        float* dkey = to.keys + i * forward.units;
        for (std::size_t a = 0; a < forward.units; ++a) {
            const float t = attention_tanh(key[a] + forward.query[a]);
            const float dsum = tanh_gradient(denergies[i] * forward.v[a], t);
            to.v[a] += denergies[i] * t;
            dkey[a] += dsum;
            to.query[a] += dsum;
        }
    }
}

void rows_dot(const float* rows, const float* x, float factor, float* y, std::size_t positions, std::size_t size) {
    for (std::size_t i = 0; i < positions; ++i) y[i] = factor * dot(rows + i * size, x, size);
}

void weighted_sum(const float* weights, const float* rows, float* y, std::size_t positions, std::size_t size,
                  bool accumulate) {
    if (!accumulate) std::fill_n(y, size, 0.0F);
    for (std::size_t i = 0; i < positions; ++i) add_scaled(weights[i], rows + i * size, y, size);
}

void add_outer(const float* weights, const float* x, float* rows, std::size_t positions, std::size_t size) {
    for (std::size_t i = 0; i < positions; ++i) add_scaled(weights[i], x, rows + i * size, size);
}

float greatest(const float* x, std::size_t n) {
    float part[interleaved];
    std::fill_n(part, interleaved, x[0]);
    for (std::size_t i = 0; i < n; ++i) part[i % interleaved] = vectorised::maximum(part[i % interleaved], x[i]);
    return join_by_halves(part, [](float a, float b) { return a > b ? a : b; });
}

float sum_of_exponentials(const float* x, std::size_t n, float most) {
    return sum_of(n, [=](std::size_t i) { return exp_of_negative(x[i] - most); });
}

float log_of_sum(const float* x, std::size_t n, float most) {
    return static_cast<float>(std::log(static_cast<double>(sum_of_exponentials(x, n, most))));
}

void softmax(float* x, std::size_t n) {
    const float most = greatest(x, n);
    const float factor = 1.0F / sum_of_exponentials(x, n, most);
    for (std::size_t i = 0; i < n; ++i) x[i] = factor * exp_of_negative(x[i] - most);
}

void softmax_backward(const float* y, const float* dy, float* dx, std::size_t n) {
    const float mean = dot(y, dy, n);
    for (std::size_t i = 0; i < n; ++i) dx[i] = y[i] * (dy[i] - mean);
}

float log_sum_exp(const float* x, std::size_t n) {
    const float most = greatest(x, n);
    return most + log_of_sum(x, n, most);
}

void log_softmax(float* x, std::size_t n) {
    const float most = greatest(x, n);
    const float log_sum = log_of_sum(x, n, most);
    for (std::size_t i = 0; i < n; ++i) x[i] = (x[i] - most) - log_sum;
}

float cross_entropy(float* logits, std::size_t vocabulary, std::size_t target, float smoothing, float gradient_scale) {
    const float most = greatest(logits, vocabulary);
    const float at_target = logits[target] - most;
    const auto size = static_cast<float>(vocabulary);
    const float mean =
        smoothing == 0.0F ? 0.0F : sum_of(vocabulary, [=](std::size_t j) { return logits[j] - most; }) / size;
    const float sum = sum_of_exponentials(logits, vocabulary, most);
    const auto log_sum = static_cast<float>(std::log(static_cast<double>(sum)));
    const float factor = gradient_scale / sum;
    const float uniform = gradient_scale * smoothing / size;
    for (std::size_t j = 0; j < vocabulary; ++j) logits[j] = factor * exp_of_negative(logits[j] - most) - uniform;
    logits[target] -= (1.0F - smoothing) * gradient_scale;
    return (1.0F - smoothing) * (log_sum - at_target) + smoothing * (log_sum - mean);
}

void adam(const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t n) {
    const float rate = step.rate / step.correction1;
    const float correction2 = 1.0F / step.correction2;
    for (std::size_t i = 0; i < n; ++i) {
        const float g = step.gradient_scale * gradient[i];
        m[i] = step.beta1 * m[i] + (1.0F - step.beta1) * g;
        v[i] = step.beta2 * v[i] + (1.0F - step.beta2) * (g * g);
        w[i] -= rate * m[i] / (std::sqrt(v[i] * correction2) + step.epsilon);
    }
}

std::size_t multiply_add_in_registers(std::size_t turns, float* sum) {
    constexpr std::size_t independent = 8;
    float x[independent];
    for (std::size_t i = 0; i < independent; ++i) x[i] = static_cast<float>(i) * 0.001F;
    for (std::size_t turn = 0; turn < turns; ++turn) {
        for (float& value : x) value = value * 0.9999F + 1e-5F;
    }
    *sum = 0.0F;
    for (const float value : x) *sum += value;
    return turns * independent;
}

}  // namespace reference

const InstructionSet scalar_instruction_set = {
    "scalar", 8, 0, reference::multiply_block, reference::quantise_row, reference::multiply_int8_block,
#define SOFTALIGN_KERNEL(result, name, parameters, arguments) reference::name,
#include "core/simd/kernel_list.inl"
};

}  // namespace softalign::simd
