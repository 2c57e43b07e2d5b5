#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// The units between which an alignment is shown or written.
enum class Grouping {
    words,   ///< pieces joined to words, punctuation beside them: the rows and columns of every picture
    spaces,  ///< text between spaces, which the indices of Pharaoh lines and gold alignments count
    tokens   ///< as the model reads and writes them
};

/// One word or token of a text.
struct TextUnit {
    std::string text;                 ///< a lone space as "␣"
    std::vector<std::size_t> tokens;  ///< indices of the tokens it is made of
    bool special = false;             ///< a symbol such as EOS, always a unit of its own
};

/// @param text what the tokens' offsets refer to
std::vector<TextUnit> units_of(std::string_view text, const std::vector<Token>& tokens, Grouping grouping);

/// What a picture shows for a tokenizer: words, or characters if its tokens are characters.
Grouping natural_grouping(const Tokenizer& tokenizer);
/// What Pharaoh lines count: text between spaces, or characters.
Grouping line_grouping(const Tokenizer& tokenizer);

}  // namespace softalign
