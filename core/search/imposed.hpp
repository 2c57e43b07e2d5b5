#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/model/configuration.hpp"

namespace softalign {

/// Words and weights that replace the model's own, to see what it writes from there on.
struct Imposed {
    std::vector<int> words;  ///< of the target, without BOS; every hypothesis begins with them
    std::map<std::size_t, std::vector<float>> weights;  ///< by step, counted from 0: [S] shares of the source to read
};

/// Throws UsageError for words that no translation of at most `max_length` steps can have, and for weights that are
/// not a distribution over `source_length` source positions.
/// @return the same, with weights that sum to 1 as exactly as a softmax
Imposed checked(Imposed imposed, const Configuration& configuration, std::size_t source_length, std::size_t max_length);

}  // namespace softalign
