#pragma once

#include "native/lab/report.hpp"
#include "native/lab/reverse_task.hpp"

namespace softalign::lab {

struct WrongAxisOptions {
    WrongAxisOptions() {
        task.longest = 10;
        task.hidden = 64;
        task.steps = 1500;
    }
    ReverseOptions task;
    std::size_t sequences = 200;  ///< unseen ones that both models are judged on
};

/// The mistake that no loss tells of: a softmax over the target's steps instead of the source's positions, one wrong
/// axis number in most frameworks. The same model (style luong, score dot) is trained with either axis, on the same
/// batches. Both losses fall, since training knows the whole target; `diagnose` says which of the two attends, and a
/// search, which has no later steps to share with, shows what the mistake costs.
Report wrong_axis(const WrongAxisOptions& options, simd::Executor& executor);

}  // namespace softalign::lab
