#include "core/nn/step_layout.hpp"

#include <algorithm>
#include <numeric>

namespace softalign {

StepLayout::StepLayout(const std::vector<std::size_t>& sentence_lengths) : first{0} {
    order.resize(sentence_lengths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sentence_lengths[a] > sentence_lengths[b]; });
    for (const std::size_t sentence : order) lengths.push_back(sentence_lengths[sentence]);
    std::size_t active = slots();
    for (std::size_t step = 0; active > 0; ++step) {
        while (active > 0 && lengths[active - 1] <= step) --active;
        if (active > 0) first.push_back(first.back() + active);
    }
}

std::vector<std::size_t> StepLayout::reversed() const {
    std::vector<std::size_t> result(rows());
    for (std::size_t step = 0; step < steps(); ++step) {
        for (std::size_t slot = 0; slot < active(step); ++slot) {
            result[row(step, slot)] = row(lengths[slot] - 1 - step, slot);
        }
    }
    return result;
}

}  // namespace softalign
