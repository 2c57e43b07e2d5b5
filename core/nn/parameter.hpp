#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace softalign {

// A layer describes itself: beside its parameters stands a function that calls
//
//     parameter(name, tensor, shape, initial, reads)
//
// for each of them, in the order of the file. Model files, initial values, quantisation, what is printed of a
// model, and counts of memory and arithmetic follow from this one list.

using Shape = std::vector<std::size_t>;

/// What a parameter is before training: uniform in ±bound, but for a range of elements that are 1.
struct InitialValues {
    double bound = 0.0;
    std::size_t first_one = 0;  ///< of the elements that are 1 …
    std::size_t ones = 0;       ///< … and how many they are
};

/// Uniform with the variance 2 / (rows + columns) (Glorot and Bengio 2010).
inline InitialValues glorot(std::size_t rows, std::size_t columns) {
    return {std::sqrt(6.0 / static_cast<double>(rows + columns))};
}
/// Uniform in ±1/sqrt(units), as PyTorch starts recurrent layers.
inline InitialValues within_root_of(std::size_t units) {
    return {1.0 / std::sqrt(static_cast<double>(units))};
}
inline InitialValues starting_at_zero() {
    return {};
}

/// How a pass over a sentence pair reads a parameter: so many of its columns for each …
struct Reads {
    std::size_t source_word = 0;
    std::size_t target_word = 0;
    std::size_t sentence = 0;
    std::size_t word_pair = 0;  ///< of a source and a target word
};

/// What a layer is applied to.
enum class Per { source_word, target_word, sentence };

inline Reads reads(Per per, std::size_t columns) {
    switch (per) {
        case Per::source_word:
            return {columns, 0, 0, 0};
        case Per::target_word:
            return {0, columns, 0, 0};
        case Per::sentence:
            break;
    }
    return {0, 0, columns, 0};
}

}  // namespace softalign
