#pragma once

#include <cstddef>
#include <vector>

namespace softalign {

/// Sentences of different lengths laid out step by step without padding.
///
/// Slots hold the sentences, longest first; step t has one row for each slot that is longer than t. The rows of a step
/// thus continue the first rows of the step before, and no row is computed in vain.
struct StepLayout {
    std::vector<std::size_t> order;    ///< [B] the sentence in each slot
    std::vector<std::size_t> lengths;  ///< [B] by slot, non-increasing
    std::vector<std::size_t> first;    ///< [T + 1] the first row of each step

    StepLayout() : first{0} {}
    /// @param sentence_lengths [B], each at least 1
    explicit StepLayout(const std::vector<std::size_t>& sentence_lengths);

    std::size_t slots() const { return order.size(); }
    std::size_t steps() const { return first.size() - 1; }
    std::size_t rows() const { return first.back(); }
    std::size_t active(std::size_t step) const { return first[step + 1] - first[step]; }
    std::size_t row(std::size_t step, std::size_t slot) const { return first[step] + slot; }

    /// For every row, the row of the same sentence counted from its other end, in the order of a backward direction.
    std::vector<std::size_t> reversed() const;
};

}  // namespace softalign
