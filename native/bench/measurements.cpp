#include "native/bench/measurements.hpp"

#include <fstream>
#include <thread>

#include "core/simd/gemm.hpp"
#include "core/simd/kernels.hpp"
#include "native/system/thread_pool.hpp"

namespace softalign::bench {

namespace {

/// What Linux calls the processor; empty elsewhere.
std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "";
}

}  // namespace

void measure_all(const Options& options, const Report& report) {
    ThreadPool all(options.threads);
    report({{"bench", "machine"},
            {"processor", processor_name()},
            {"processors", std::thread::hardware_concurrency()},
            {"instruction_set", simd::instruction_set()},
            {"bf16", simd::has_bf16()}});

    simd::SerialExecutor one;
    Session serial(options, one, report);
    measure_functions(serial);
    std::vector<simd::Executor*> executors;
    if (options.threads <= 1) executors.push_back(&one);
    if (all.workers() > 1) executors.push_back(&all);
    for (simd::Executor* executor : executors) {
        Session session(options, *executor, report);
        report({{"bench", "peak"}, {"threads", executor->workers()}, {"gflops", figure(session.peak_gflops())}});
        measure_products(session);
        measure_training(session);
        measure_decoding(session);
    }
}

}  // namespace softalign::bench
