#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.hpp"
#include "core/text/tokenizer.hpp"
#include "native/evaluate/alignment_error.hpp"

namespace softalign {

/// What an alignment is shown or written between.
enum class Grouping {
    words,  ///< what stands between spaces, pieces joined
    tokens  ///< as the model reads and writes them
};

/// One word or token of a text.
struct TextUnit {
    std::string text;
    std::vector<std::size_t> tokens;  ///< indices of the tokens it is made of
    bool special = false;             ///< a symbol such as EOS, always a unit of its own
};

/// @param text what the tokens' offsets refer to
std::vector<TextUnit> units_of(std::string_view text, const std::vector<Token>& tokens, Grouping grouping);

/// Words, but for a tokenizer of characters, whose alignment is one of characters.
Grouping natural_grouping(const Tokenizer& tokenizer);

/// The alignment between units: a target unit reads from a source unit the sum over its tokens, and as a target it
/// reads the mean of what its tokens read, so that rows still sum to one.
/// @param alignment [T, S] between tokens   @return [target units, source units]
Matrix join_alignment(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                      const Matrix& alignment);

/// One link for every target unit: to the source unit it reads most from. Special units have none.
metrics::Links strongest_links(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                               const Matrix& alignment);

}  // namespace softalign
