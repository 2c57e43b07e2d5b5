#include "core/text/units.hpp"

#include <algorithm>
#include <array>

#include "core/text/unicode.hpp"

namespace softalign {

namespace {

/// Marks that stand beside words, unlike an apostrophe or a hyphen inside one.
constexpr std::array<std::string_view, 19> kPunctuation{".", ",", ";", ":", "!",  "?", "…", "¡", "¿", "«",
                                                        "»", "“", "”", "„", "\"", "(", ")", "[", "]"};
constexpr std::array<std::string_view, 2> kDashes{"—", "–"};

bool is_punctuation(std::string_view character) {
    return std::find(kPunctuation.begin(), kPunctuation.end(), character) != kPunctuation.end() ||
           std::find(kDashes.begin(), kDashes.end(), character) != kDashes.end();
}

bool stands_alone(const Token& token) {
    if (token.special) return true;
    std::string_view rest = token.text;
    if (rest.empty()) return false;
    while (!rest.empty()) {
        const std::size_t length = character_length(rest);
        if (!is_punctuation(rest.substr(0, length))) return false;
        rest.remove_prefix(length);
    }
    return true;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = text.find_last_not_of(' ');
    return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

TextUnit unit_of_one(const Token& token, std::size_t index) {
    return {token.special || !trimmed(token.text).empty() ? token.text : "␣", {index}, token.special};
}

std::vector<TextUnit> words_of(std::string_view text, const std::vector<Token>& tokens) {
    std::vector<TextUnit> units;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const bool begins = i == 0 || token.starts_word || stands_alone(token) || stands_alone(tokens[i - 1]);
        if (begins) {
            units.push_back(unit_of_one(token, i));
            continue;
        }
        TextUnit& word = units.back();
        word.tokens.push_back(i);
        const std::size_t begin = tokens[word.tokens.front()].begin;
        word.text = trimmed(text.substr(begin, token.end - begin));
    }
    return units;
}

std::vector<TextUnit> between_spaces(std::string_view text, const std::vector<Token>& tokens) {
    std::vector<TextUnit> units;
    std::size_t end_of_word = 0;
    bool in_word = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.special) {
            units.push_back(unit_of_one(token, i));
            in_word = false;
            continue;
        }
        if (token.text == " ") continue;  // with characters as tokens, a space belongs to no word
        if (!in_word || token.begin >= end_of_word) {
            // A piece that is only the mark of a word's beginning comes right before the word.
            const std::size_t begin = std::min(text.find_first_not_of(' ', token.begin), text.size());
            end_of_word = std::min(text.find(' ', begin), text.size());
            units.push_back({std::string(text.substr(begin, end_of_word - begin)), {}, false});
            in_word = true;
        }
        units.back().tokens.push_back(i);
    }
    return units;
}

}  // namespace

std::vector<TextUnit> units_of(std::string_view text, const std::vector<Token>& tokens, Grouping grouping) {
    switch (grouping) {
        case Grouping::words:
            return words_of(text, tokens);
        case Grouping::spaces:
            return between_spaces(text, tokens);
        case Grouping::tokens:
            break;
    }
    std::vector<TextUnit> units;
    for (std::size_t i = 0; i < tokens.size(); ++i) units.push_back(unit_of_one(tokens[i], i));
    return units;
}

Grouping natural_grouping(const Tokenizer& tokenizer) {
    return std::string_view(tokenizer.kind()) == "chars" ? Grouping::tokens : Grouping::words;
}

Grouping line_grouping(const Tokenizer& tokenizer) {
    return natural_grouping(tokenizer) == Grouping::tokens ? Grouping::tokens : Grouping::spaces;
}

}  // namespace softalign
