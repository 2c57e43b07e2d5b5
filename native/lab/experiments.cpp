#include "native/lab/experiment.hpp"

// Every experiment is a name here and a file beside this one: NAME.cpp defines NAME_experiment.
#define SOFTALIGN_EACH_EXPERIMENT(experiment)                                                             \
    experiment(length_curve) experiment(align) experiment(credit) experiment(wrong_axis) experiment(cost) \
        experiment(translation_length) experiment(faithfulness) experiment(scan) experiment(worked_example)

namespace softalign::lab {

#define SOFTALIGN_DECLARE(name) Experiment name##_experiment();
SOFTALIGN_EACH_EXPERIMENT(SOFTALIGN_DECLARE)
#undef SOFTALIGN_DECLARE

std::vector<Experiment> experiments() {
#define SOFTALIGN_CALL(name) name##_experiment(),
    return {SOFTALIGN_EACH_EXPERIMENT(SOFTALIGN_CALL)};
#undef SOFTALIGN_CALL
}

}  // namespace softalign::lab
