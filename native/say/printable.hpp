#pragma once

#include <string>
#include <string_view>

namespace softalign {

/// Text from a file or a model as a terminal, a table or a picture may have it: whatever a terminal could take for a
/// command, or that would show letters in another order than they have (control characters, line breaks, overrides of
/// the direction of writing), is spelt out as "\u001b", bytes that are not UTF-8 as "\xff". All other text stays as it
/// is; JSON stays the same JSON.
std::string printable(std::string_view text);

/// The same for text of several lines: line breaks and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace softalign
