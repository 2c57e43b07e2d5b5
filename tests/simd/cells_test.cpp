// The fused kernels of recurrent cells and of additive attention against their equations in long double.

#include <algorithm>

#include "core/simd/kernels.hpp"
#include "tests/simd/instruction_sets.hpp"

using namespace softalign;
using namespace softalign::tests;
using Floats = std::vector<float>;
using Real = long double;

namespace {

Real real(float x) {
    return static_cast<Real>(x);
}
Real sigmoid(Real x) {
    return 1 / (1 + std::exp(-x));
}

/// Largest absolute difference.
struct Difference {
    Real worst = 0;
    void add(float result, Real truth) {
        const Real difference = std::fabs(real(result) - truth);
        if (!(difference <= worst)) worst = difference;
    }
};

}  // namespace

TEST_CASE("an LSTM cell follows its equations") {
    for_each_instruction_set([&] {
        for (const std::size_t hidden : lengths) {
            CAPTURE(hidden);
            Floats gates = random_floats(4 * hidden, 1, 6.0F);
            const Floats pre = gates;
            const Floats previous_c = random_floats(hidden, 2, 3.0F);
            Floats c = previous_c;  // in place
            Floats tanh_c(hidden);
            Floats h(hidden);
            simd::lstm_cell(gates.data(), c.data(), c.data(), tanh_c.data(), h.data(), hidden);
            Difference difference;
            for (std::size_t j = 0; j < hidden; ++j) {
                const Real i = sigmoid(real(pre[j]));
                const Real f = sigmoid(real(pre[hidden + j]));
                const Real g = std::tanh(real(pre[2 * hidden + j]));
                const Real o = sigmoid(real(pre[3 * hidden + j]));
                const Real cell = f * real(previous_c[j]) + i * g;
                difference.add(gates[j], i);
                difference.add(gates[hidden + j], f);
                difference.add(gates[2 * hidden + j], g);
                difference.add(gates[3 * hidden + j], o);
                difference.add(c[j], cell);
                difference.add(tanh_c[j], std::tanh(cell));
                difference.add(h[j], o * std::tanh(cell));
            }
            CHECK(difference.worst < 1e-6L);
        }
    });
}

TEST_CASE("the backward of an LSTM cell follows from its equations") {
    for_each_instruction_set([&] {
        for (const std::size_t hidden : lengths) {
            CAPTURE(hidden);
            Floats gates = random_floats(4 * hidden, 1);
            for (float& gate : gates) gate = 0.5F + 0.5F * gate;
            const Floats activations = gates;
            const Floats previous_c = random_floats(hidden, 2);
            const Floats tanh_c = random_floats(hidden, 3);
            const Floats dh = random_floats(hidden, 4);
            Floats dc = random_floats(hidden, 5);
            const Floats dc_from_later = dc;
            simd::lstm_cell_backward(gates.data(), previous_c.data(), tanh_c.data(), dh.data(), dc.data(), hidden);
            Difference difference;
            for (std::size_t j = 0; j < hidden; ++j) {
                const Real i = real(activations[j]);
                const Real f = real(activations[hidden + j]);
                const Real g = real(activations[2 * hidden + j]);
                const Real o = real(activations[3 * hidden + j]);
                const Real t = real(tanh_c[j]);
                const Real dcell = real(dc_from_later[j]) + real(dh[j]) * o * (1 - t * t);
                difference.add(gates[j], dcell * g * i * (1 - i));
                difference.add(gates[hidden + j], dcell * real(previous_c[j]) * f * (1 - f));
                difference.add(gates[2 * hidden + j], dcell * i * (1 - g * g));
                difference.add(gates[3 * hidden + j], real(dh[j]) * t * o * (1 - o));
                difference.add(dc[j], dcell * f);
            }
            CHECK(difference.worst < 1e-6L);
        }
    });
}

TEST_CASE("a GRU cell follows its equations, with the reset gate after the recurrent product") {
    for_each_instruction_set([&] {
        for (const std::size_t hidden : lengths) {
            CAPTURE(hidden);
            Floats gates = random_floats(3 * hidden, 1, 4.0F);
            const Floats pre = gates;
            const Floats recurrent = random_floats(3 * hidden, 2, 4.0F);
            const Floats previous_h = random_floats(hidden, 3);
            Floats h = previous_h;  // in place
            simd::gru_cell(gates.data(), recurrent.data(), h.data(), h.data(), hidden);
            Difference difference;
            for (std::size_t j = 0; j < hidden; ++j) {
                const Real r = sigmoid(real(pre[j]) + real(recurrent[j]));
                const Real z = sigmoid(real(pre[hidden + j]) + real(recurrent[hidden + j]));
                const Real n = std::tanh(real(pre[2 * hidden + j]) + r * real(recurrent[2 * hidden + j]));
                difference.add(gates[j], r);
                difference.add(gates[hidden + j], z);
                difference.add(gates[2 * hidden + j], n);
                difference.add(h[j], (1 - z) * n + z * real(previous_h[j]));
            }
            CHECK(difference.worst < 1e-6L);
        }
    });
}

TEST_CASE("the backward of a GRU cell follows from its equations") {
    for_each_instruction_set([&] {
        for (const std::size_t hidden : lengths) {
            CAPTURE(hidden);
            Floats gates = random_floats(3 * hidden, 1);
            for (float& gate : gates) gate = 0.5F + 0.5F * gate;
            const Floats activations = gates;
            Floats recurrent = random_floats(3 * hidden, 2);
            const Floats product = recurrent;
            const Floats previous_h = random_floats(hidden, 3);
            Floats dh = random_floats(hidden, 4);
            const Floats from_above = dh;
            simd::gru_cell_backward(gates.data(), recurrent.data(), previous_h.data(), dh.data(), hidden);
            Difference difference;
            for (std::size_t j = 0; j < hidden; ++j) {
                const Real r = real(activations[j]);
                const Real z = real(activations[hidden + j]);
                const Real n = real(activations[2 * hidden + j]);
                const Real dn = real(from_above[j]) * (1 - z) * (1 - n * n);
                const Real dz = real(from_above[j]) * (real(previous_h[j]) - n) * z * (1 - z);
                const Real dr = dn * real(product[2 * hidden + j]) * r * (1 - r);
                difference.add(gates[j], dr);
                difference.add(gates[hidden + j], dz);
                difference.add(gates[2 * hidden + j], dn);
                difference.add(recurrent[j], dr);
                difference.add(recurrent[hidden + j], dz);
                difference.add(recurrent[2 * hidden + j], dn * r);
                difference.add(dh[j], real(from_above[j]) * z);
            }
            CHECK(difference.worst < 1e-6L);
        }
    });
}

TEST_CASE("additive energies are v · tanh(key + query)") {
    for_each_instruction_set([&] {
        for (const std::size_t units : lengths) {
            for (const std::size_t positions : {0U, 1U, 9U}) {
                CAPTURE(units, positions);
                const Floats keys = random_floats(positions * units, 1, 4.0F);
                const Floats query = random_floats(units, 2, 4.0F);
                const Floats v = random_floats(units, 3);
                Floats energies(positions);
                simd::additive_energies({keys.data(), query.data(), v.data(), positions, units}, energies.data());
                Difference difference;
                for (std::size_t i = 0; i < positions; ++i) {
                    Real energy = 0;
                    for (std::size_t a = 0; a < units; ++a) {
                        energy += real(v[a]) * std::tanh(real(keys[i * units + a]) + real(query[a]));
                    }
                    difference.add(energies[i], energy);
                }
                CHECK(difference.worst <= 1e-6L * static_cast<Real>(units + 1));
            }
        }
    });
}

TEST_CASE("the backward of additive energies adds to what is there") {
    for_each_instruction_set([&] {
        for (const std::size_t units : lengths) {
            for (const std::size_t positions : {0U, 1U, 9U}) {
                CAPTURE(units, positions);
                const Floats keys = random_floats(positions * units, 1, 2.0F);
                const Floats query = random_floats(units, 2, 2.0F);
                const Floats v = random_floats(units, 3);
                const Floats denergies = random_floats(positions, 4);
                const Floats dkeys_before = random_floats(positions * units, 5);
                const Floats dquery_before = random_floats(units, 6);
                const Floats dv_before = random_floats(units, 7);
                Floats dkeys = dkeys_before;
                Floats dquery = dquery_before;
                Floats dv = dv_before;
                simd::additive_energies_backward({keys.data(), query.data(), v.data(), positions, units},
                                                 denergies.data(), {dkeys.data(), dquery.data(), dv.data()});
                Difference difference;
                for (std::size_t a = 0; a < units; ++a) {
                    Real dquery_a = real(dquery_before[a]);
                    Real dv_a = real(dv_before[a]);
                    for (std::size_t i = 0; i < positions; ++i) {
                        const Real t = std::tanh(real(keys[i * units + a]) + real(query[a]));
                        const Real dsum = real(denergies[i]) * real(v[a]) * (1 - t * t);
                        difference.add(dkeys[i * units + a], real(dkeys_before[i * units + a]) + dsum);
                        dquery_a += dsum;
                        dv_a += real(denergies[i]) * t;
                    }
                    difference.add(dquery[a], dquery_a);
                    difference.add(dv[a], dv_a);
                }
                CHECK(difference.worst <= 4e-6L * static_cast<Real>(positions + 1));
            }
        }
    });
}
