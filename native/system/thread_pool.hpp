#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/simd/executor.hpp"

namespace softalign {

/// An executor that uses threads. Built for thousands of small parallel sections a second: a worker without work spins
/// for some tens of microseconds before it sleeps, and the calling thread takes part.
///
/// Only one thread at a time may call run(). An exception in a task does not stop the others; when all are done, run()
/// throws the exception of the lowest index.
class ThreadPool final : public simd::Executor {
  public:
    /// @param threads number of threads, including the calling one; 0: one per processor
    explicit ThreadPool(std::size_t threads = 0);
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    std::size_t workers() const override { return threads_.size() + 1; }

  protected:
    void run_tasks(std::size_t count, TaskFunction function, const void* context) override;

  private:
    void work();
    bool run_one(std::uint32_t section);
    void sleep_until_other_section(std::uint32_t section);
    void wait_for_others();
    void stop();

    // The running section. Its number and the count of its remaining tasks share one word, so that a late worker can
    // never claim a task from a section that has been replaced.
    std::atomic<std::uint64_t> ticket_{0};
    std::atomic<TaskFunction> function_{nullptr};
    std::atomic<const void*> context_{nullptr};
    std::atomic<std::uint32_t> unfinished_{0};

    bool spins_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::uint32_t> sleeping_{0};
    std::atomic<bool> caller_sleeps_{false};
    std::mutex mutex_;
    std::condition_variable section_begins_;
    std::condition_variable section_ends_;
    std::exception_ptr exception_;  ///< of the task `exception_index_`; guarded by mutex_
    std::uint32_t exception_index_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace softalign
