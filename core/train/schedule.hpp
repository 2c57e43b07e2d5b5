#pragma once

#include <cstdint>

namespace softalign {

/// Learning rate over a run: a linear warm-up, then one of three courses.
enum class Decay {
    constant,
    cosine,  ///< down to `floor` of the peak at `total_steps` (Loshchilov and Hutter 2017)
    plateau  ///< times `plateau_factor` whenever validation has not improved
};

struct ScheduleOptions {
    float peak = 1e-3F;
    std::uint64_t warmup_steps = 400;
    Decay decay = Decay::cosine;
    std::uint64_t total_steps = 0;  ///< `cosine` only
    float floor = 0.03F;            ///< `cosine` only: the last rate as a share of the peak
    float plateau_factor = 0.5F;
    std::uint32_t plateau_patience = 1;  ///< validations without improvement before the rate falls
};

/// What a plateau schedule remembers of the validations so far.
struct PlateauState {
    double best = 0;
    bool any = false;
    std::uint32_t since_best = 0;
    float factor = 1.0F;
};

/// The rate of step `step`, counted from 0.
float learning_rate(const ScheduleOptions& options, std::uint64_t step, const PlateauState& plateau);

/// Records a validation loss. @return whether it is the best so far
bool observe(const ScheduleOptions& options, double validation_loss, PlateauState& plateau);

}  // namespace softalign
