#pragma once

#include <string>
#include <vector>

#include "core/simd/executor.hpp"
#include "native/lab/named_model.hpp"
#include "native/lab/report.hpp"

namespace softalign::lab {

/// How well a translation model's attention agrees with people's word alignments, though nobody ever showed it one:
/// alignment error rate (`metrics::AlignmentErrorRate`), beside a diagonal that knows nothing but lengths.
///
/// Which row of the alignment belongs to a word? Step t reads word t - 1 and writes word t. Both styles use the row of
/// step t for what that step writes: `bahdanau` asks with the state before the step, which has not yet read word t - 1,
/// and lets the context through the LSTM; `luong` asks with the state after the step, which has. So a word is linked by
/// the row of the step that writes it (shift 0). Taking the row of the step that reads it (shift 1), as one does who
/// labels the rows with the decoder's inputs, or that of the step before (shift -1), is an error of one word. Both are
/// measured here, since a model is free to look early or late (Koehn and Knowles 2017, section 3.5).
///
/// @param gold_path the format of `metrics::read_gold_alignments`
Report align(const std::vector<NamedModel>& models, const std::string& gold_path, simd::Executor& executor);

}  // namespace softalign::lab
