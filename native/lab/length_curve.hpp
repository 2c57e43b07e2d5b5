#pragma once

#include <string>

#include "native/lab/report.hpp"
#include "native/lab/reverse_task.hpp"

namespace softalign::lab {

struct LengthCurveOptions {
    ReverseOptions task;
    std::size_t sequences = 200;  ///< that are judged, of every length
    std::string save;             ///< an existing folder for the models, as reverse-NAME.safetensors; empty: none
};

/// What a fixed-size bottleneck costs: accuracy by the source's length without attention, with additive and with dot,
/// at the same size and number of steps (Bahdanau, Cho and Bengio 2015, figure 2, on a task without words).
Report length_curve(const LengthCurveOptions& options, simd::Executor& executor);

}  // namespace softalign::lab
