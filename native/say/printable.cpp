#include "native/say/printable.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

namespace softalign {

namespace {

bool speaks_to_the_terminal(utf8proc_int32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||  // C0, delete, C1
           (code_point >= 0x2028 && code_point <= 0x202E) ||                  // separators, embeddings and overrides
           (code_point >= 0x2066 && code_point <= 0x2069);                    // isolates
}

std::string spelt_out(std::string_view text, bool lines) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        utf8proc_int32_t code_point = 0;
        const utf8proc_ssize_t found = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                        static_cast<utf8proc_ssize_t>(text.size()), &code_point);
        const std::size_t bytes = found > 0 ? static_cast<std::size_t>(found) : 1;
        if (found <= 0) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (speaks_to_the_terminal(code_point) && !(lines && (code_point == '\n' || code_point == '\t'))) {
            result += fmt::format("\\u{:04x}", code_point);
        } else {
            result += text.substr(0, bytes);
        }
        text.remove_prefix(bytes);
    }
    return result;
}

}  // namespace

std::string printable(std::string_view text) {
    return spelt_out(text, false);
}

std::string printable_lines(std::string_view text) {
    return spelt_out(text, true);
}

}  // namespace softalign
