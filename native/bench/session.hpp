#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/simd/executor.hpp"

namespace softalign::bench {

struct Options {
    bool quick = false;       ///< tiny work, timed once, to see that everything runs
    std::string filter;       ///< only measurements with this in their name
    std::size_t threads = 0;  ///< measure with this many; 0: first with one, then with one per processor
};

/// One measurement: `bench` is its kind, the rest are its conditions and figures.
using Record = nlohmann::ordered_json;
using Report = std::function<void(const Record&)>;

/// What measurements with the same number of threads share.
class Session {
  public:
    Session(const Options& options, simd::Executor& executor, const Report& report)
        : options_(options), executor_(executor), report_(report) {}

    bool quick() const { return options_.quick; }
    simd::Executor& executor() { return executor_; }
    bool wants(const std::string& name) const { return name.find(options_.filter) != std::string::npos; }
    void report(const Record& record) const { report_(record); }

    /// Seconds of one call of each task. The tasks take turns, so that other load on the machine affects all of them
    /// and ratios hold. Each is called once before the clock starts, and every figure is the median of all turns.
    std::vector<double> seconds_in_turns(const std::vector<std::function<void()>>& tasks) const;

    /// The speed of a task that does `multiply_adds` multiply-adds.
    struct Speed {
        double seconds;
        double gflops;   ///< 10^9 operations a second, two per multiply-add
        double of_peak;  ///< that divided by what the processor reaches on registers alone, measured in turns with it
    };
    Speed speed(double multiply_adds, const std::function<void()>& task) const;

    /// The processor's limit: see simd::multiply_add_in_registers.
    double peak_gflops() const;

  private:
    const Options& options_;
    simd::Executor& executor_;
    const Report& report_;
};

/// A figure with four significant digits.
double figure(double value);

}  // namespace softalign::bench
