#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// A place in a file: three bytes, the least significant first.
inline std::size_t place_from(const std::uint8_t* bytes) {
    return std::size_t{bytes[0]} | std::size_t{bytes[1]} << 8U | std::size_t{bytes[2]} << 16U;
}

/// Every four bytes of the input are a place and what its bits are changed with.
inline std::vector<std::uint8_t> changed(std::vector<std::uint8_t> file, const std::uint8_t* edits, std::size_t size) {
    for (std::size_t i = 0; i + 4 <= size; i += 4) {
        const std::size_t place = place_from(edits + i) % file.size();
        file[place] = static_cast<std::uint8_t>(file[place] ^ edits[i + 3]);
    }
    return file;
}
