#pragma once

#include <cstddef>

/// The order in which n elements become one, the same on every instruction set, so that sums have the same bits.
///
/// In an unnamed namespace, like everything that an instruction set's translation unit includes (batch.hpp).
namespace softalign::simd {
namespace {

/// How many reductions run side by side: part j takes the elements j, j + interleaved and so on. No instruction set has
/// longer batches.
constexpr std::size_t interleaved = 16;

/// join(a, b) makes one of two; the parts are overwritten.
template <typename Number, typename Join>
inline Number join_by_halves(Number (&part)[interleaved], const Join& join) {
    for (std::size_t half = interleaved / 2; half > 0; half /= 2) {
        for (std::size_t j = 0; j < half; ++j) part[j] = join(part[j], part[j + half]);
    }
    return part[0];
}

}  // namespace
}  // namespace softalign::simd
