#pragma once

#include "core/simd/executor.hpp"
#include "native/lab/report.hpp"

namespace softalign::lab {

/// Two calculations that a learner can follow with a pocket calculator, worked by the library's own layers.
///
/// The first turns the energies (2.0, 0.5, -1.0) into weights, and again with the second energy raised to 2.5. The
/// second is one whole step of additive attention (equations at `Attention`): states (1, 0), (0, 1), (1, 1), query
/// (0.5, 0.5), Wh = Ws = the identity, v = (1, 1).
Report worked_example(simd::Executor& executor);

}  // namespace softalign::lab
