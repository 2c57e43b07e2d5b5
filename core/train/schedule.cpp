#include "core/train/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace softalign {

float learning_rate(const ScheduleOptions& options, std::uint64_t step, const PlateauState& plateau) {
    constexpr double kPi = 3.14159265358979323846;
    if (step < options.warmup_steps) {
        return options.peak * static_cast<float>(step + 1) / static_cast<float>(options.warmup_steps);
    }
    switch (options.decay) {
        case Decay::constant:
            break;
        case Decay::plateau:
            return options.peak * plateau.factor;
        case Decay::cosine: {
            const double span = static_cast<double>(std::max(options.total_steps, options.warmup_steps + 1)) -
                                static_cast<double>(options.warmup_steps);
            const double done = std::min(1.0, static_cast<double>(step - options.warmup_steps) / span);
            const auto floor = static_cast<double>(options.floor);
            return options.peak * static_cast<float>(floor + (1.0 - floor) * 0.5 * (1.0 + std::cos(kPi * done)));
        }
    }
    return options.peak;
}

bool observe(const ScheduleOptions& options, double validation_loss, PlateauState& plateau) {
    const bool improved = !plateau.any || validation_loss < plateau.best;
    if (improved) {
        plateau.best = validation_loss;
        plateau.any = true;
        plateau.since_best = 0;
    } else if (++plateau.since_best % std::max<std::uint32_t>(1, options.plateau_patience) == 0 &&
               options.decay == Decay::plateau) {
        plateau.factor *= options.plateau_factor;
    }
    return improved;
}

}  // namespace softalign
