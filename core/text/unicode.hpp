#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace softalign {

/// Canonical composition (NFC) of valid UTF-8. The core has no Unicode tables of its own: natively this is utf8proc, in
/// the browser String.prototype.normalize.
using Normaliser = std::function<std::string(std::string_view)>;

/// The text with every ill-formed UTF-8 sequence replaced by U+FFFD, one for each maximal subpart (Unicode 15, 3.9
/// D93b), which is what the WHATWG decoder does too.
std::string repair_utf8(std::string_view text);

bool is_valid_utf8(std::string_view text);

/// Bytes of the first character of a non-empty text, or of the maximal subpart if it is ill-formed.
std::size_t character_length(std::string_view text);

/// Prepares text for tokenizers: valid UTF-8 in NFC, control characters (including NUL, line breaks and tabs) replaced
/// by spaces, no space at either end and no two in a row.
std::string prepare_text(std::string_view text, const Normaliser& normalise);

}  // namespace softalign
