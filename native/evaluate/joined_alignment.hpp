#pragma once

#include <vector>

#include "core/tensor.hpp"
#include "core/text/units.hpp"
#include "native/evaluate/alignment_error.hpp"

namespace softalign {

/// The alignment between units: summed over the tokens of a source unit and averaged over those of a target unit, so
/// that rows still sum to one.
/// @param alignment [T, S] between tokens   @return [target units, source units]
Matrix join_alignment(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                      const Matrix& alignment);

/// One link for every target unit, to the source unit that it reads most. Special units have none.
metrics::Links strongest_links(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                               const Matrix& alignment);

}  // namespace softalign
