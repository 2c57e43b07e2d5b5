#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace softalign {

/// Canonical composition (NFC) of valid UTF-8. The core carries no Unicode tables: natively this is utf8proc, in the
/// browser String.prototype.normalize.
using Normaliser = std::function<std::string(std::string_view)>;

/// The text with every ill-formed UTF-8 sequence replaced by U+FFFD, one for each maximal subpart (Unicode 15, 3.9
/// D93b), which is what the WHATWG decoder does too.
std::string repair_utf8(std::string_view text);

bool is_valid_utf8(std::string_view text);

/// Bytes of the first character of a text that is not empty; of an ill-formed one's maximal subpart.
std::size_t character_length(std::string_view text);

/// What every tokenizer is given: valid UTF-8, in NFC, control characters (among them NUL, line breaks and tabs) as
/// spaces, no space at either end and no two in a row.
std::string prepare_text(std::string_view text, const Normaliser& normalise);

}  // namespace softalign
