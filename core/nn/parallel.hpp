#pragma once

#include <algorithm>
#include <cstddef>

#include "core/simd/executor.hpp"

namespace softalign {

/// Calls body(row) for every row, divided among the workers if there is enough to do. `cost` is roughly how many
/// elements a row touches. Rows must not depend on each other.
template <typename Body>
void for_rows(simd::Executor& executor, std::size_t rows, std::size_t cost, const Body& body) {
    constexpr std::size_t kElementsWorthATask = 8192;
    const std::size_t worth = std::max<std::size_t>(1, rows * cost / kElementsWorthATask);
    const std::size_t tasks = std::min({rows, worth, 4 * executor.workers()});
    if (tasks <= 1 || executor.workers() == 1) {
        for (std::size_t r = 0; r < rows; ++r) body(r);
        return;
    }
    executor.run(tasks, [&](std::size_t task) {
        for (std::size_t r = rows * task / tasks; r < rows * (task + 1) / tasks; ++r) body(r);
    });
}

}  // namespace softalign
