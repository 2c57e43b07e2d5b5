#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace softalign::terminal {

bool is_terminal(int descriptor);

/// Its number of columns; nothing if it is not a terminal.
std::optional<std::size_t> columns(int descriptor);

/// Number of columns that a UTF-8 text takes: none for a combining mark, two for a wide character.
std::size_t display_width(std::string_view text);

/// The longest beginning of a text that fits into `width` columns.
std::string_view cut(std::string_view text, std::size_t width);

}  // namespace softalign::terminal
