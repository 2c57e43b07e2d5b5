// The scalar loops: what every other instruction set is compared with, and what runs where there is none. Written to
// be read; transcendental functions are taken in double precision and rounded once.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simd/instruction_set.hpp"

namespace softalign::simd {
namespace reference {

float tanh_of(float x) {
    return static_cast<float>(std::tanh(static_cast<double>(x)));
}

float sigmoid_of(float x) {
    return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(x))));
}

void multiply_block(const ProductBlock& block, float*) {
    const std::size_t panel = scalar_instruction_set.panel_columns;
    for (std::size_t row = 0; row < block.rows; ++row) {
        const float* a = block.a + row * block.a_row_stride;
        float* c = block.c + row * block.c_row_stride;
        for (std::size_t column = 0; column < block.columns; ++column) {
            const bool packed = block.b_row_stride == 0;
            const float* b = packed ? block.b + column / panel * panel * block.k + column % panel : block.b + column;
            const std::size_t b_stride = packed ? panel : block.b_row_stride;
            float sum = 0.0F;
            if (block.update == Update::add) {
                sum = c[column];
            } else if (block.bias != nullptr) {
                sum = block.bias[column];
            }
            for (std::size_t k = 0; k < block.k; ++k) sum += a[k * block.a_k_stride] * b[k * b_stride];
            c[column] = sum;
        }
    }
}

float quantise_row(const float* x, std::size_t n, std::int32_t greatest_factor, std::int16_t* integers,
                   std::int16_t* remainders) {
    float magnitude = 0.0F;
    for (std::size_t i = 0; i < n; ++i) {
        if (!(std::fabs(x[i]) <= magnitude)) magnitude = std::fabs(x[i]);
        if (std::isnan(magnitude)) break;
    }
    std::fill_n(integers, n, static_cast<std::int16_t>(0));
    std::fill_n(remainders, n, static_cast<std::int16_t>(0));
    if (!std::isfinite(magnitude)) return std::numeric_limits<float>::quiet_NaN();
    const float scale = magnitude / static_cast<float>(greatest_factor);
    if (!std::isnormal(scale)) return 0.0F;
    const float factor = static_cast<float>(greatest_factor) / magnitude;
    for (std::size_t i = 0; i < n; ++i) {
        const float scaled = x[i] * factor;
        const float whole = std::nearbyint(scaled);
        const float remainder = (scaled - whole) * static_cast<float>(2 * greatest_factor);
        integers[i] = static_cast<std::int16_t>(whole);
        remainders[i] = static_cast<std::int16_t>(std::nearbyint(remainder));
    }
    return scale;
}

void multiply_int8_block(const Int8Block& block) {
    const std::size_t panel = scalar_instruction_set.panel_columns;
    for (std::size_t row = 0; row < block.rows; ++row) {
        const std::int16_t* a = block.a + row * 4 * block.pairs;
        const std::int16_t* remainders = a + 2 * block.pairs;
        float* c = block.c + row * block.c_row_stride;
        for (std::size_t column = 0; column < block.columns; ++column) {
            const std::int8_t* b = block.b + (column / panel * panel * block.pairs + column % panel) * 2;
            std::int32_t sum = 0;
            std::int32_t remainder = 0;
            for (std::size_t k = 0; k < 2 * block.pairs; ++k) {
                sum += a[k] * b[k / 2 * panel * 2 + k % 2];
                remainder += remainders[k] * b[k / 2 * panel * 2 + k % 2];
            }
            const float product = static_cast<float>(sum) + static_cast<float>(remainder) * block.remainder_unit;
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
    for (std::size_t i = 0; i < n; ++i) y[i] = tanh_of(x[i]);
}

void tanh_backward(const float* x, const float* t, float* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * (1.0F - t[i] * t[i]);
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
    float sum = 0.0F;
    for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

double sum_of_squares(const float* x, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return sum;
}

std::size_t argmax(const float* x, std::size_t n) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; ++i) {
        if (x[i] > x[best]) best = i;
    }
    return best;
}

void lstm_cell(float* gates, const float* previous_c, float* c, float* tanh_c, float* h, std::size_t hidden) {
    float* input = gates;
    float* forget = gates + hidden;
    float* candidate = gates + 2 * hidden;
    float* output = gates + 3 * hidden;
    for (std::size_t j = 0; j < hidden; ++j) {
        input[j] = sigmoid_of(input[j]);
        forget[j] = sigmoid_of(forget[j]);
        candidate[j] = tanh_of(candidate[j]);
        output[j] = sigmoid_of(output[j]);
        c[j] = forget[j] * previous_c[j] + input[j] * candidate[j];
        tanh_c[j] = tanh_of(c[j]);
        h[j] = output[j] * tanh_c[j];
    }
}

void lstm_cell_backward(const float* gates, const float* previous_c, const float* tanh_c, const float* dh, float* dc,
                        float* dgates, std::size_t hidden) {
    for (std::size_t j = 0; j < hidden; ++j) {
        const float input = gates[j];
        const float forget = gates[j + hidden];
        const float candidate = gates[j + 2 * hidden];
        const float output = gates[j + 3 * hidden];
        const float doutput = dh[j] * tanh_c[j];
        const float dcell = dc[j] + dh[j] * output * (1.0F - tanh_c[j] * tanh_c[j]);
        dgates[j] = dcell * candidate * (input * (1.0F - input));
        dgates[j + hidden] = dcell * previous_c[j] * (forget * (1.0F - forget));
        dgates[j + 2 * hidden] = dcell * input * (1.0F - candidate * candidate);
        dgates[j + 3 * hidden] = doutput * (output * (1.0F - output));
        dc[j] = dcell * forget;
    }
}

void additive_energies(const float* keys, const float* query, const float* v, float* energies, std::size_t positions,
                       std::size_t units) {
    for (std::size_t i = 0; i < positions; ++i) {
        const float* key = keys + i * units;
        float sum = 0.0F;
        for (std::size_t a = 0; a < units; ++a) sum += v[a] * tanh_of(key[a] + query[a]);
        energies[i] = sum;
    }
}

void additive_energies_backward(const float* keys, const float* query, const float* v, const float* denergies,
                                float* dkeys, float* dquery, float* dv, std::size_t positions, std::size_t units) {
    for (std::size_t i = 0; i < positions; ++i) {
        const float* key = keys + i * units;
        float* dkey = dkeys + i * units;
        for (std::size_t a = 0; a < units; ++a) {
            const float t = tanh_of(key[a] + query[a]);
            const float dsum = denergies[i] * v[a] * (1.0F - t * t);
            dv[a] += denergies[i] * t;
            dkey[a] += dsum;
            dquery[a] += dsum;
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

double sum_of_exponentials(const float* x, std::size_t n, float greatest) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(static_cast<double>(x[i]) - static_cast<double>(greatest));
    return sum;
}

void softmax(float* x, std::size_t n) {
    const float greatest = *std::max_element(x, x + n);
    const double sum = sum_of_exponentials(x, n, greatest);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<float>(std::exp(static_cast<double>(x[i]) - static_cast<double>(greatest)) / sum);
    }
}

void softmax_backward(const float* y, const float* dy, float* dx, std::size_t n) {
    const float mean = dot(y, dy, n);
    for (std::size_t i = 0; i < n; ++i) dx[i] = y[i] * (dy[i] - mean);
}

float log_sum_exp(const float* x, std::size_t n) {
    const float greatest = *std::max_element(x, x + n);
    return static_cast<float>(static_cast<double>(greatest) + std::log(sum_of_exponentials(x, n, greatest)));
}

void log_softmax(float* x, std::size_t n) {
    const float greatest = *std::max_element(x, x + n);
    const double log_sum = static_cast<double>(greatest) + std::log(sum_of_exponentials(x, n, greatest));
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(static_cast<double>(x[i]) - log_sum);
}

float cross_entropy(float* logits, std::size_t vocabulary, std::size_t target, float smoothing, float gradient_scale) {
    const float greatest = *std::max_element(logits, logits + vocabulary);
    const double sum = sum_of_exponentials(logits, vocabulary, greatest);
    const double log_sum = static_cast<double>(greatest) + std::log(sum);
    const double uniform = static_cast<double>(smoothing) / static_cast<double>(vocabulary);
    const double at_target = 1.0 - static_cast<double>(smoothing);
    double loss = at_target * (log_sum - static_cast<double>(logits[target]));
    for (std::size_t j = 0; j < vocabulary; ++j) {
        const double logit = static_cast<double>(logits[j]);
        if (smoothing != 0.0F) loss += uniform * (log_sum - logit);
        const double wanted = uniform + (j == target ? at_target : 0.0);
        logits[j] = static_cast<float>((std::exp(logit - log_sum) - wanted) * static_cast<double>(gradient_scale));
    }
    return static_cast<float>(loss);
}

void adam(const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const float g = step.gradient_scale * gradient[i];
        m[i] = step.beta1 * m[i] + (1.0F - step.beta1) * g;
        v[i] = step.beta2 * v[i] + (1.0F - step.beta2) * (g * g);
        w[i] -= step.rate * (m[i] / step.correction1) / (std::sqrt(v[i] / step.correction2) + step.epsilon);
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
    "scalar",
    8,
    0,
    reference::multiply_block,
    reference::quantise_row,
    reference::multiply_int8_block,
    reference::tanh,
    reference::tanh_backward,
    reference::add_scaled,
    reference::add,
    reference::multiply_elements,
    reference::scale,
    reference::dot,
    reference::sum_of_squares,
    reference::argmax,
    reference::lstm_cell,
    reference::lstm_cell_backward,
    reference::additive_energies,
    reference::additive_energies_backward,
    reference::rows_dot,
    reference::weighted_sum,
    reference::add_outer,
    reference::softmax,
    reference::softmax_backward,
    reference::log_sum_exp,
    reference::log_softmax,
    reference::cross_entropy,
    reference::adam,
    reference::multiply_add_in_registers,
};

}  // namespace softalign::simd
