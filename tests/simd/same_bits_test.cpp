// What running a model needs besides products of floats: the same bits on every instruction set.

#include <functional>
#include <map>
#include <string>

#include "core/simd/kernels.hpp"
#include "tests/simd/instruction_sets.hpp"

using namespace softalign;
using namespace softalign::tests;
using Floats = std::vector<float>;

namespace {

/// Everything that a kernel makes of n elements: of `x` and `y`, which are free to be changed.
using Kernel = std::function<Floats(Floats x, Floats y)>;

constexpr std::size_t positions = 5;

Floats five_times(const Floats& x) {
    Floats rows;
    for (std::size_t i = 0; i < positions; ++i) {
        for (const float element : x) rows.push_back(element * (1.0F - 0.3F * static_cast<float>(i)));
    }
    return rows;
}

const std::map<std::string, Kernel> kernels = {
    {"tanh",
     [](Floats x, Floats) {
         simd::tanh(x.data(), x.data(), x.size());
         return x;
     }},
    {"add_scaled",
     [](Floats x, Floats y) {
         simd::add_scaled(0.7F, x.data(), y.data(), x.size());
         return y;
     }},
    {"add",
     [](Floats x, Floats y) {
         simd::add(x.data(), y.data(), x.size());
         return y;
     }},
    {"scale",
     [](Floats x, Floats) {
         simd::scale(0.7F, x.data(), x.size());
         return x;
     }},
    {"dot", [](Floats x, Floats y) { return Floats{simd::dot(x.data(), y.data(), x.size())}; }},
    {"lstm_cell",
     [](Floats x, Floats y) {
         Floats gates;
         for (const Floats* gate : {&x, &y, &y, &x}) gates.insert(gates.end(), gate->begin(), gate->end());
         Floats tanh_c(x.size());
         Floats h(x.size());
         simd::lstm_cell(gates.data(), x.data(), y.data(), tanh_c.data(), h.data(), x.size());
         for (const Floats* part : {&y, &tanh_c, &h}) gates.insert(gates.end(), part->begin(), part->end());
         return gates;
     }},
    {"gru_cell",
     [](Floats x, Floats y) {
         Floats gates;
         for (const Floats* gate : {&x, &y, &y}) gates.insert(gates.end(), gate->begin(), gate->end());
         Floats recurrent;
         for (const Floats* product : {&y, &x, &x}) recurrent.insert(recurrent.end(), product->begin(), product->end());
         simd::gru_cell(gates.data(), recurrent.data(), x.data(), y.data(), x.size());
         gates.insert(gates.end(), y.begin(), y.end());
         return gates;
     }},
    {"additive_energies",
     [](Floats x, Floats y) {
         Floats energies(positions);
         const Floats keys = five_times(x);
         simd::additive_energies({keys.data(), y.data(), x.data(), positions, x.size()}, energies.data());
         return energies;
     }},
    {"rows_dot",
     [](Floats x, Floats y) {
         Floats energies(positions);
         simd::rows_dot(five_times(x).data(), y.data(), 0.3F, energies.data(), positions, x.size());
         return energies;
     }},
    {"weighted_sum",
     [](Floats x, Floats y) {
         const Floats weights = random_floats(positions, 9);
         simd::weighted_sum(weights.data(), five_times(x).data(), y.data(), positions, x.size(), true);
         return y;
     }},
    {"softmax",
     [](Floats x, Floats) {
         if (!x.empty()) simd::softmax(x.data(), x.size());
         return x;
     }},
    {"log_softmax",
     [](Floats x, Floats) {
         if (!x.empty()) simd::log_softmax(x.data(), x.size());
         return x;
     }},
    {"log_sum_exp", [](Floats x, Floats) { return x.empty() ? x : Floats{simd::log_sum_exp(x.data(), x.size())}; }},
    {"argmax",
     [](Floats x, Floats) { return x.empty() ? x : Floats{static_cast<float>(simd::argmax(x.data(), x.size()))}; }},
};

}  // namespace

TEST_CASE("what running a model needs is the same bits on every instruction set") {
    for (const auto& [name, kernel] : kernels) {
        for (const std::size_t n : lengths) {
            CAPTURE(name, n);
            const std::vector<std::pair<Floats, Floats>> inputs = {{random_floats(n, 1, 3.0F), random_floats(n, 2)},
                                                                   {nasty_floats(n, 3), nasty_floats(n, 4)}};
            for (const auto& [x, y] : inputs) {
                std::vector<Floats> results;
                for_each_instruction_set([&, &x = x, &y = y, &kernel = kernel] {
                    results.push_back(kernel(x, y));
                    CHECK(same_bits(results.back(), results.front()));
                });
            }
        }
    }
}
