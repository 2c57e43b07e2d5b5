#include "native/system/thread_pool.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace softalign {

namespace {

constexpr auto kSpin = std::chrono::microseconds(40);
constexpr unsigned kPausesBetweenClockReads = 32;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Waits a short time for the condition. Returns whether it was met.
template <typename Condition>
bool spin(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + kSpin;
    do {
        for (unsigned i = 0; i < kPausesBetweenClockReads; ++i) {
            if (condition()) return true;
            pause();
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

// A ticket: the section's number above, below it how many of its tasks are left.
std::uint32_t section_of(std::uint64_t ticket) {
    return static_cast<std::uint32_t>(ticket >> 32U);
}
std::uint32_t left_of(std::uint64_t ticket) {
    return static_cast<std::uint32_t>(ticket);
}
std::uint64_t first_ticket(std::uint32_t section, std::size_t count) {
    return std::uint64_t{section} << 32U | count;
}

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) {
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    if (threads == 0) threads = processors;
    spins_ = threads <= processors;  // a spinning thread must not take the processor from one that works
    try {
        for (std::size_t i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
        stop();
        throw Error("cannot start " + std::to_string(threads) + " threads: " + error.what());
    }
}

ThreadPool::~ThreadPool() {
    stop();
}

void ThreadPool::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    section_begins_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run_tasks(std::size_t count, TaskFunction function, const void* context) {
    if (count > std::numeric_limits<std::uint32_t>::max()) throw UsageError("too many tasks in one parallel section");
    if (threads_.empty() || count < 2) {
        for (std::size_t i = 0; i < count; ++i) function(context, i);
        return;
    }
    const std::uint32_t section = section_of(ticket_.load()) + 1;
    function_.store(function, std::memory_order_relaxed);
    context_.store(context, std::memory_order_relaxed);
    unfinished_.store(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
    ticket_.store(first_ticket(section, count));
    if (sleeping_.load() > 0) {
        { const std::lock_guard lock(mutex_); }  // a worker between its check and its sleep must not miss the call
        section_begins_.notify_all();
    }
    while (run_one(section)) {
    }
    wait_for_others();
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

/// Claims and runs one task of the section. Returns false if none is left.
bool ThreadPool::run_one(std::uint32_t section) {
    std::uint64_t ticket = ticket_.load();
    TaskFunction function;
    const void* context;
    do {
        if (section_of(ticket) != section || left_of(ticket) == 0) return false;
        // What is read here belongs to this section if the claim below succeeds: the caller writes the next one's only
        // when no task of this one is left, and no worker can claim from a ticket without tasks.
        function = function_.load(std::memory_order_relaxed);
        context = context_.load(std::memory_order_relaxed);
    } while (!ticket_.compare_exchange_weak(ticket, ticket - 1));

    const std::uint32_t index = left_of(ticket) - 1;
    try {
        function(context, index);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!exception_ || index < exception_index_) {
            exception_ = std::current_exception();
            exception_index_ = index;
        }
    }
    if (unfinished_.fetch_sub(1) == 1 && caller_sleeps_.load()) {
        { const std::lock_guard lock(mutex_); }
        section_ends_.notify_one();
    }
    return true;
}

void ThreadPool::wait_for_others() {
    const auto finished = [this] { return unfinished_.load() == 0; };
    if (finished() || (spins_ && spin(finished))) return;
    std::unique_lock lock(mutex_);
    caller_sleeps_ = true;
    section_ends_.wait(lock, finished);
    caller_sleeps_ = false;
}

void ThreadPool::work() {
    std::uint32_t section = 0;
    while (!stopping_.load()) {
        const auto other_section = [&] { return section_of(ticket_.load()) != section; };
        if (!other_section() && !(spins_ && spin([&] { return other_section() || stopping_.load(); }))) {
            sleep_until_other_section(section);
        }
        section = section_of(ticket_.load());
        while (run_one(section)) {
        }
    }
}

void ThreadPool::sleep_until_other_section(std::uint32_t section) {
    std::unique_lock lock(mutex_);
    ++sleeping_;
    section_begins_.wait(lock, [&] { return section_of(ticket_.load()) != section || stopping_.load(); });
    --sleeping_;
}

}  // namespace softalign
