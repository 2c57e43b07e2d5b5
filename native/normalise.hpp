#pragma once

#include <string>
#include <string_view>

namespace softalign {

/// Canonical composition (NFC) of valid UTF-8, by utf8proc: the `Normaliser` that the core asks for.
std::string to_nfc(std::string_view text);

}  // namespace softalign
