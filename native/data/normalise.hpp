#pragma once

#include <string>
#include <string_view>

namespace softalign {

/// Canonical composition (NFC) of valid UTF-8, by utf8proc: the `Normaliser` that the core asks for.
std::string to_nfc(std::string_view text);

/// What is left of valid UTF-8 without case, spaces, punctuation and symbols: equal for sentences that differ in these
/// alone. A text of nothing else is left as it is.
std::string letters_and_digits(std::string_view text);

}  // namespace softalign
