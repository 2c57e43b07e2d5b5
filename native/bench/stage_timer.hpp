#pragma once

#include <chrono>
#include <map>
#include <string>

#include "core/simd/executor.hpp"

namespace softalign::bench {

/// Runs on another executor and measures how long each stage of a computation takes, in the thread that calls run().
class StageTimer final : public simd::Executor {
  public:
    explicit StageTimer(simd::Executor& executor) : executor_(executor) {}

    std::size_t workers() const override { return executor_.workers(); }
    const char* enter(const char* stage) override;

    /// Seconds in every stage since the timer was made; "the rest" is in no stage.
    std::map<std::string, double> seconds();

  protected:
    void run_tasks(std::size_t count, TaskFunction function, const void* context) override;

  private:
    using Clock = std::chrono::steady_clock;

    simd::Executor& executor_;
    const char* stage_ = nullptr;
    Clock::time_point entered_ = Clock::now();
    std::map<std::string, double> seconds_;
};

}  // namespace softalign::bench
