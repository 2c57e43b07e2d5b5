#pragma once

#include <cstdint>

#include "core/model/parameters.hpp"
#include "core/simd/executor.hpp"

namespace softalign {

/// Adam (Kingma and Ba 2015) with gradient clipping by global norm (Pascanu, Mikolov and Bengio 2013), as in PyTorch.
struct AdamOptions {
    float beta1 = 0.9F;
    float beta2 = 0.999F;
    float epsilon = 1e-8F;
    float clip_norm = 1.0F;  ///< 0: no clipping
};

/// The running moments of every parameter. A resumed run needs them besides the parameters.
struct AdamState {
    Parameters m;
    Parameters v;
    std::uint64_t steps = 0;
};

/// What a step changes, all of one configuration.
struct AdamTarget {
    const Configuration& configuration;
    AdamState& state;
    Parameters& parameters;
};

/// One step with learning rate `rate`.
/// @return the gradient's norm before clipping. If it is not finite, nothing is changed: one bad batch must not destroy
///         a long run, and the caller decides what to do.
double adam_step(simd::Executor& executor, const AdamOptions& options, float rate, const Parameters& gradient,
                 const AdamTarget& target);

}  // namespace softalign
