#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace softalign::bridge {

/// For every byte offset of a valid UTF-8 text, including its end, the offset in UTF-16 code units, as JavaScript
/// counts. An offset inside a character counts as the character's beginning.
inline std::vector<std::uint32_t> utf16_offsets(std::string_view text) {
    std::vector<std::uint32_t> offsets(text.size() + 1);
    std::uint32_t units = 0;
    std::uint32_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool continues = (byte & 0xC0U) == 0x80U;
        if (!continues) {
            units += width;
            width = byte >= 0xF0U ? 2 : 1;  // four bytes are beyond the basic plane: a surrogate pair
        }
        offsets[i] = units;
    }
    offsets[text.size()] = units + width;
    return offsets;
}

}  // namespace softalign::bridge
