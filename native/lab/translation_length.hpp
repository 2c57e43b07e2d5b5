#pragma once

#include <string>
#include <vector>

#include "core/search/search.hpp"
#include "native/lab/named_model.hpp"
#include "native/lab/report.hpp"

namespace softalign::lab {

struct TranslationLengthOptions {
    SearchOptions search;
    std::size_t least = 30;  ///< sentences of a bin; a bin of fewer is joined with the next shorter one
};

/// BLEU of real sentences by the length of the source (Bahdanau, Cho and Bengio 2015, figure 2; Luong, Pham and Manning
/// 2015, figure 6), against all references that the data has.
/// @param data_path source<TAB>reference[<TAB>references]
Report translation_length(const std::vector<NamedModel>& models, const std::string& data_path,
                          const TranslationLengthOptions& options, simd::Executor& executor);

}  // namespace softalign::lab
