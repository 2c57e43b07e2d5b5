#pragma once

#include <cstddef>
#include <thread>
#include <vector>

#include "core/simd/executor.hpp"

namespace softalign::tests {

/// The last task first.
class ReversedExecutor final : public simd::Executor {
  public:
    std::size_t workers() const override { return 3; }

  protected:
    void run_tasks(std::size_t count, TaskFunction function, const void* context) override {
        for (std::size_t i = count; i-- > 0;) function(context, i);
    }
};

/// A thread for every task.
class ThreadExecutor final : public simd::Executor {
  public:
    explicit ThreadExecutor(std::size_t workers) : workers_(workers) {}
    std::size_t workers() const override { return workers_; }

  protected:
    void run_tasks(std::size_t count, TaskFunction function, const void* context) override {
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back(function, context, i);
        for (std::thread& thread : threads) thread.join();
    }

  private:
    std::size_t workers_;
};

}  // namespace softalign::tests
