#include "native/data/normalise.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/error.hpp"
#include "core/text/unicode.hpp"

namespace softalign {

namespace {

std::string mapped(std::string_view text, int options) {
    utf8proc_uint8_t* result = nullptr;
    const utf8proc_ssize_t length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                     &result, static_cast<utf8proc_option_t>(options));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, &std::free);
    if (length < 0) throw Error(std::string("cannot normalise the text: ") + utf8proc_errmsg(length));
    return {reinterpret_cast<const char*>(result), static_cast<std::size_t>(length)};
}

bool is_letter_or_digit(utf8proc_int32_t character) {
    switch (utf8proc_category(character)) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_MN:  // in some scripts, marks distinguish letters
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::string to_nfc(std::string_view text) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
    return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string letters_and_digits(std::string_view text) {
    const std::string folded = mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    std::string result;
    for (std::string_view rest = folded; !rest.empty();) {
        const std::string_view character = rest.substr(0, character_length(rest));
        rest.remove_prefix(character.size());
        utf8proc_int32_t code = 0;
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(character.data()),
                         static_cast<utf8proc_ssize_t>(character.size()), &code);
        if (is_letter_or_digit(code)) result += character;
    }
    return result.empty() ? std::string(text) : result;
}

}  // namespace softalign
