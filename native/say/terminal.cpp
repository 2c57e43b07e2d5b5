#include "native/say/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include <algorithm>

namespace softalign::terminal {

namespace {

/// The length and width of the text's first character. An ill-formed byte counts as one narrow character.
struct Character {
    std::size_t bytes;
    std::size_t width;
};

Character first_character(std::string_view text) {
    utf8proc_int32_t code_point = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                    static_cast<utf8proc_ssize_t>(text.size()), &code_point);
    if (bytes <= 0) return {1, 1};
    return {static_cast<std::size_t>(bytes), static_cast<std::size_t>(std::max(0, utf8proc_charwidth(code_point)))};
}

}  // namespace

bool is_terminal(int descriptor) {
    return ::isatty(descriptor) == 1;
}

std::optional<std::size_t> columns(int descriptor) {
    winsize size{};
    if (!is_terminal(descriptor) || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
    return size.ws_col;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const Character character = first_character(text);
        width += character.width;
        text.remove_prefix(character.bytes);
    }
    return width;
}

std::string_view cut(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    std::size_t used = 0;
    while (bytes < text.size()) {
        const Character character = first_character(text.substr(bytes));
        if (used + character.width > width) break;
        used += character.width;
        bytes += character.bytes;
    }
    return text.substr(0, bytes);
}

}  // namespace softalign::terminal
