#pragma once

#include <cstdint>

#include "core/model/parameters.hpp"
#include "core/simd/executor.hpp"

namespace softalign {

/// Exponential moving average of the weights (Polyak and Juditsky 1992, in its exponential form):
///     average' = d average + (1 - d) parameters,   d = min(decay, (1 + step) / (10 + step))
/// so that the first steps, which are far from where a run ends, are soon forgotten.
/// @param step how many steps have been taken, from 1
void update_average(simd::Executor& executor, const Configuration& configuration, float decay, std::uint64_t step,
                    const Parameters& parameters, Parameters& average);

}  // namespace softalign
