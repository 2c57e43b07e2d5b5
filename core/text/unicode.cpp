#include "core/text/unicode.hpp"

#include <algorithm>

namespace softalign {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Sequence {
    std::size_t length;  ///< bytes of the character, or of the maximal subpart of an ill-formed one
    bool well_formed;
};

/// What non-empty bytes start with: Unicode 15, table 3-7.
Sequence sequence_at(std::string_view bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {1, true};
    if (lead < 0xC2 || lead > 0xF4) return {1, false};
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // Only the second byte is restricted further: no overlong forms, surrogates, or values above U+10FFFF.
    const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t i = 1; i < length; ++i) {
        if (i == bytes.size()) return {i, false};
        const bool continues = i == 1 ? byte(i) >= least && byte(i) <= most : (byte(i) & 0xC0U) == 0x80;
        if (!continues) return {i, false};
    }
    return {length, true};
}

/// C0 and C1 controls, DEL, and the line and paragraph separators.
bool is_control(std::string_view character) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
    if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
    if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
    return character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9";
}

}  // namespace

std::size_t character_length(std::string_view text) {
    return sequence_at(text).length;
}

std::string repair_utf8(std::string_view text) {
    std::string repaired;
    repaired.reserve(text.size());
    while (!text.empty()) {
        const Sequence sequence = sequence_at(text);
        repaired += sequence.well_formed ? text.substr(0, sequence.length) : kReplacement;
        text.remove_prefix(sequence.length);
    }
    return repaired;
}

bool is_valid_utf8(std::string_view text) {
    while (!text.empty()) {
        const Sequence sequence = sequence_at(text);
        if (!sequence.well_formed) return false;
        text.remove_prefix(sequence.length);
    }
    return true;
}

std::string prepare_text(std::string_view text, const Normaliser& normalise) {
    const std::string normalised = normalise(repair_utf8(text));
    std::string prepared;
    prepared.reserve(normalised.size());
    for (std::string_view rest = normalised; !rest.empty();) {
        const std::string_view character = rest.substr(0, character_length(rest));
        rest.remove_prefix(character.size());
        if (character != " " && !is_control(character)) {
            prepared += character;
        } else if (!prepared.empty() && prepared.back() != ' ') {
            prepared += ' ';
        }
    }
    if (!prepared.empty() && prepared.back() == ' ') prepared.pop_back();
    return prepared;
}

}  // namespace softalign
