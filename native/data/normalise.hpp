#pragma once

#include <string>
#include <string_view>

namespace softalign {

/// Canonical composition (NFC) of valid UTF-8, by utf8proc: the `Normaliser` that the core asks for.
std::string to_nfc(std::string_view text);

/// Valid UTF-8 without case, spaces, punctuation and symbols: equal for sentences that differ only in these. A text
/// that consists of nothing else stays as it is.
std::string letters_and_digits(std::string_view text);

}  // namespace softalign
