#include "native/evaluate/words.hpp"

namespace softalign::metrics {

namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

/// Bytes of the white-space character that the text begins with; 0: none.
std::size_t whitespace_length(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if ((first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x20)) return 1;
    if (first < 0xC2) return 0;
    for (const std::string_view character :
         {"\u0085", "\u00A0", "\u1680", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"}) {
        if (starts_with(text, character)) return character.size();
    }
    // U+2000 … U+200A, the typographic spaces
    const bool typographic = text.size() >= 3 && starts_with(text, "\xE2\x80") &&
                             static_cast<unsigned char>(text[2]) >= 0x80 && static_cast<unsigned char>(text[2]) <= 0x8A;
    return typographic ? 3 : 0;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t begin = 0;
    std::size_t position = 0;
    while (position < text.size()) {
        const std::size_t space = whitespace_length(text.substr(position));
        if (space == 0) {
            ++position;
            continue;
        }
        if (position > begin) words.push_back(text.substr(begin, position - begin));
        position += space;
        begin = position;
    }
    if (position > begin) words.push_back(text.substr(begin));
    return words;
}

std::string join(const std::vector<std::string_view>& words, std::string_view separator) {
    std::string joined;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) joined += separator;
        joined += words[i];
    }
    return joined;
}

}  // namespace softalign::metrics
