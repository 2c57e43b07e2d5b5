#pragma once

#include <vector>

#include "core/format/model_file.hpp"
#include "native/data/corpus.hpp"
#include "native/evaluate/evaluation.hpp"
#include "native/evaluate/joined_alignment.hpp"

namespace softalign {

/// A pair whose target was fed to the model, with what was read for each of its tokens.
struct ForcedAlignment {
    std::vector<TextUnit> source;
    std::vector<TextUnit> target;  ///< without EOS
    Matrix alignment;              ///< [T + 1, S] between tokens; the last row is that of EOS
};

/// @param by_spaces split at spaces even if the model reads or writes characters
std::vector<ForcedAlignment> align_forced(simd::Executor& executor, const StoredModel& stored,
                                          const PreparedCorpus& corpus, bool by_spaces, const OnProgress& on_progress);

}  // namespace softalign
