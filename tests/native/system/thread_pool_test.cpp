#include "native/system/thread_pool.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace softalign;

TEST_CASE("every task of every section runs once, on any number of threads") {
    for (const std::size_t threads : {1, 2, 3, 8}) {
        ThreadPool pool(threads);
        CHECK(pool.workers() == threads);
        std::vector<int> runs(97, 0);
        const std::size_t sections = 3000;
        for (std::size_t section = 0; section < sections; ++section) {
            pool.run(section % (runs.size() + 1), [&](std::size_t i) { ++runs[i]; });
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            std::size_t expected = 0;
            for (std::size_t section = 0; section < sections; ++section) expected += section % (runs.size() + 1) > i;
            CHECK(runs[i] == static_cast<int>(expected));
        }
    }
}

TEST_CASE("a section after a pause finds the workers that went to sleep") {
    ThreadPool pool(3);
    for (int round = 0; round < 5; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::atomic<int> runs{0};
        pool.run(50, [&](std::size_t) { ++runs; });
        CHECK(runs == 50);
    }
}

TEST_CASE("the calling thread waits for tasks that take long") {
    ThreadPool pool(2);
    std::atomic<int> done{0};
    pool.run(4, [&](std::size_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        ++done;
    });
    CHECK(done == 4);
}

TEST_CASE("of the exceptions in tasks the one of the lowest index reaches the caller, when all tasks are done") {
    for (const std::size_t threads : {2, 4}) {
        ThreadPool pool(threads);
        std::atomic<int> runs{0};
        const auto task = [&](std::size_t i) {
            ++runs;
            if (i % 5 == 3) throw std::runtime_error(std::to_string(i));
        };
        CHECK_THROWS_WITH(pool.run(40, task), "3");
        CHECK(runs == 40);
        runs = 0;
        pool.run(3, task);
        CHECK(runs == 3);
    }
}

TEST_CASE("without a number there is a thread for every processor") {
    CHECK(ThreadPool().workers() == std::max(1U, std::thread::hardware_concurrency()));
}
