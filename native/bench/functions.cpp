#include "core/nn/random.hpp"
#include "core/simd/kernels.hpp"
#include "native/bench/measurements.hpp"

namespace softalign::bench {

namespace {

std::vector<float> random_floats(std::size_t n) {
    const RandomStream random(1, RandomUse::initial_weights, n);
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(4.0 * random.uniform(i) - 2.0);
    return values;
}

void measure(Session& session, const std::string& name, std::size_t elements, const std::function<void()>& task) {
    if (!session.wants("function " + name)) return;
    const double seconds = session.seconds_in_turns({task}).front();
    session.report({{"bench", "function"},
                    {"name", name},
                    {"elements", elements},
                    {"ns_per_element", figure(1e9 * seconds / static_cast<double>(elements))}});
}

}  // namespace

void measure_functions(Session& session) {
    constexpr std::size_t units = 512;
    constexpr std::size_t positions = 30;
    constexpr std::size_t vocabulary = 8000;
    const std::vector<float> x = random_floats(vocabulary);
    std::vector<float> y(vocabulary);

    measure(session, "tanh", vocabulary, [&] { simd::tanh(x.data(), y.data(), vocabulary); });

    std::vector<float> gates = random_floats(4 * units);
    std::vector<float> c(units);
    std::vector<float> tanh_c(units);
    measure(session, "lstm_cell", units,
            [&] { simd::lstm_cell(gates.data(), x.data(), c.data(), tanh_c.data(), y.data(), units); });

    const std::vector<float> keys = random_floats(positions * units);
    measure(session, "additive_energies", positions * units, [&] {
        simd::additive_energies({keys.data(), x.data(), x.data() + units, positions, units}, y.data());
    });

    std::vector<float> logits = x;
    measure(session, "softmax", positions, [&] { simd::softmax(logits.data(), positions); });
    logits = x;
    measure(session, "softmax", vocabulary, [&] { simd::softmax(logits.data(), vocabulary); });
    logits = x;
    measure(session, "cross_entropy", vocabulary,
            [&] { simd::cross_entropy(logits.data(), vocabulary, 1, 0.0F, 1.0F); });
}

}  // namespace softalign::bench
