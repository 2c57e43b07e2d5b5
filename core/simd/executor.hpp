#pragma once

#include <cstddef>
#include <type_traits>

namespace softalign::simd {

/// Runs independent tasks, on threads if the front end has them; the core itself starts none.
///
/// The result of a computation never depends on the executor: tasks write disjoint outputs, and which task
/// computes an element does not change the order of its additions.
class Executor {
  public:
    virtual ~Executor() = default;

    /// How many tasks can run at the same time; a hint for how finely to divide.
    virtual std::size_t workers() const = 0;

    /// Calls task(0) … task(count - 1), in any order and possibly at the same time; returns when all are done.
    /// A task must not call run() again.
    template <typename Task>
    void run(std::size_t count, const Task& task) {
        run_tasks(
            count, [](const void* context, std::size_t index) { (*static_cast<const Task*>(context))(index); }, &task);
    }

    /// What the thread that runs tasks computes from here on, as Stage reports it. Only the profiler listens.
    /// @return what it computed before
    virtual const char* enter([[maybe_unused]] const char* stage) { return nullptr; }

  protected:
    using TaskFunction = void (*)(const void* context, std::size_t index);
    virtual void run_tasks(std::size_t count, TaskFunction function, const void* context) = 0;
};

/// While it exists, computation belongs to this stage, which is part of the whole or of the stage around it.
class Stage {
  public:
    Stage(Executor& executor, const char* name) : executor_(executor), outer_(executor.enter(name)) {}
    ~Stage() { executor_.enter(outer_); }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

  private:
    Executor& executor_;
    const char* outer_;
};

/// Runs every task in the calling thread.
class SerialExecutor final : public Executor {
  public:
    std::size_t workers() const override { return 1; }

  protected:
    void run_tasks(std::size_t count, TaskFunction function, const void* context) override {
        for (std::size_t i = 0; i < count; ++i) function(context, i);
    }
};

}  // namespace softalign::simd
