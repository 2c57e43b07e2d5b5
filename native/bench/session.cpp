#include "native/bench/session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/simd/kernels.hpp"
#include "native/evaluate/statistics.hpp"

namespace softalign::bench {

namespace {

constexpr std::size_t kTurns = 9;
constexpr double kSecondsOfATurn = 0.05;
constexpr std::size_t kPeakTurns = 1'000'000;  // some milliseconds

double seconds_of(const std::function<void()>& task, std::size_t calls) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t call = 0; call < calls; ++call) task();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Multiply-adds in the registers of every worker. @return how many
double run_at_peak(simd::Executor& executor, std::size_t turns) {
    std::vector<double> multiply_adds(executor.workers());
    std::vector<float> sums(executor.workers());
    executor.run(executor.workers(), [&](std::size_t worker) {
        float sum = 0.0F;
        multiply_adds[worker] = static_cast<double>(simd::multiply_add_in_registers(turns, &sum));
        sums[worker] = sum;
    });
    return mean(multiply_adds) * static_cast<double>(multiply_adds.size());
}

}  // namespace

std::vector<double> Session::seconds_in_turns(const std::vector<std::function<void()>>& tasks) const {
    std::vector<std::size_t> calls;
    for (const auto& task : tasks) {
        task();
        const double wanted = quick() ? 0.0 : kSecondsOfATurn / std::max(seconds_of(task, 1), 1e-9);
        calls.push_back(std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
    }
    std::vector<std::vector<double>> seconds(tasks.size());
    for (std::size_t turn = 0; turn < (quick() ? 1 : kTurns); ++turn) {
        for (std::size_t t = 0; t < tasks.size(); ++t) {
            seconds[t].push_back(seconds_of(tasks[t], calls[t]) / static_cast<double>(calls[t]));
        }
    }
    std::vector<double> medians;
    for (const std::vector<double>& of_task : seconds) medians.push_back(median(of_task));
    return medians;
}

Session::Speed Session::speed(double multiply_adds, const std::function<void()>& task) const {
    const std::size_t turns = quick() ? 1000 : kPeakTurns;
    double at_peak = 0;
    const std::vector<double> seconds = seconds_in_turns({task, [&] { at_peak = run_at_peak(executor_, turns); }});
    const double gflops = 2e-9 * multiply_adds / seconds[0];
    return {seconds[0], gflops, gflops / (2e-9 * at_peak / seconds[1])};
}

double Session::peak_gflops() const {
    const std::size_t turns = quick() ? 1000 : kPeakTurns;
    double at_peak = 0;
    const std::vector<double> seconds = seconds_in_turns({[&] { at_peak = run_at_peak(executor_, turns); }});
    return 2e-9 * at_peak / seconds[0];
}

double figure(double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 3);
    return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace softalign::bench
