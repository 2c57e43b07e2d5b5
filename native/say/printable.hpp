#pragma once

#include <string>
#include <string_view>

namespace softalign {

/// Text from a file or a model made safe for a terminal, a table or a picture. Everything that a terminal could take
/// for a command or that changes the visible order of letters (control characters, line breaks, direction overrides) is
/// spelt out as "\u001b", and bytes that are not UTF-8 as "\xff". All other text stays as it is; JSON stays equivalent.
std::string printable(std::string_view text);

/// The same for text of several lines, keeping line breaks and tabs.
std::string printable_lines(std::string_view text);

}  // namespace softalign
