#pragma once

#include <algorithm>
#include <cstddef>

#include "core/simd/executor.hpp"

namespace softalign::simd {

inline std::size_t divide_up(std::size_t amount, std::size_t by) {
    return (amount + by - 1) / by;
}

/// Part of a product's output: rows and whole panels of columns.
struct Rectangle {
    std::size_t first_row;
    std::size_t rows;
    std::size_t first_panel;
    std::size_t panels;
};

/// Divides a product into rectangles and runs task(Rectangle) for each of them; in the calling
/// thread alone if the product's `multiplications` take less time than waking another thread.
template <typename Task>
void divide_product(Executor& executor, std::size_t rows, std::size_t panels, std::size_t multiplications,
                    const Task& task) {
    if (rows == 0 || panels == 0) return;
    constexpr std::size_t worth_dividing = 20'000;
    constexpr std::size_t smallest_row_block = 16;
    const bool divided = multiplications >= worth_dividing && executor.workers() > 1;
    const std::size_t wanted = divided ? 2 * executor.workers() : 1;
    const std::size_t row_blocks = divide_up(rows, smallest_row_block);
    std::size_t row_tasks = 1;
    std::size_t column_tasks = 1;
    // Along the output's longer side, so that the factor that every task reads whole is the smaller one.
    constexpr std::size_t about_columns_of_panel = 64;
    if (rows > panels * about_columns_of_panel) {
        row_tasks = std::min(row_blocks, wanted);
        column_tasks = std::min(panels, divide_up(wanted, row_tasks));
    } else {
        column_tasks = std::min(panels, wanted);
        row_tasks = std::min(row_blocks, divide_up(wanted, column_tasks));
    }
    if (row_tasks * column_tasks == 1) {
        task(Rectangle{0, rows, 0, panels});
        return;
    }
    const std::size_t task_panels = divide_up(panels, column_tasks);
    const std::size_t task_rows = divide_up(rows, row_tasks);
    executor.run(row_tasks * column_tasks, [&](std::size_t index) {
        const std::size_t first_row = index / column_tasks * task_rows;
        const std::size_t first_panel = index % column_tasks * task_panels;
        if (first_row >= rows || first_panel >= panels) return;
        task(Rectangle{first_row, std::min(task_rows, rows - first_row), first_panel,
                       std::min(task_panels, panels - first_panel)});
    });
}

}  // namespace softalign::simd
