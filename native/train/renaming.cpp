#include "native/train/renaming.hpp"

#include <algorithm>

namespace softalign {

namespace {

constexpr std::size_t kShortestName = 3;
constexpr std::size_t kShortestPart = 4;

bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

bool is_small(char c) {
    return c >= 'a' && c <= 'z';
}

/// A byte of a character beyond ASCII counts as a letter: a word is never cut within one.
bool is_letter(char c) {
    return is_capital(c) || is_small(c) || static_cast<unsigned char>(c) >= 0x80;
}

struct Word {
    std::size_t begin;
    std::size_t length;
};

std::vector<Word> words_of(const std::string& text) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_letter(text[end])) ++end;
        if (end > at) words.push_back({at, end - at});
        at = end + 1;
    }
    return words;
}

bool is_capitalised(const std::string& word) {
    return word.size() >= kShortestName && is_capital(word[0]) && std::all_of(word.begin() + 1, word.end(), is_small);
}

std::string with_first_letter_small(std::string word) {
    word[0] = static_cast<char>(word[0] - 'A' + 'a');
    return word;
}

void replace_word(std::string& text, const std::string& old_word, const std::string& new_word) {
    const std::vector<Word> words = words_of(text);
    for (auto word = words.rbegin(); word != words.rend(); ++word) {  // backwards, so that earlier offsets stay valid
        if (text.compare(word->begin, word->length, old_word) == 0) text.replace(word->begin, word->length, new_word);
    }
}

}  // namespace

Renaming::Renaming(const std::vector<std::string>& sources) {
    for (const std::string& source : sources) {
        for (const Word& word : words_of(source)) {
            std::string text = source.substr(word.begin, word.length);
            if (is_capital(text[0])) continue;
            const bool is_part = text.size() >= kShortestPart && std::all_of(text.begin(), text.end(), is_small);
            const bool is_new = small_.insert(text).second;
            if (is_new && is_part) parts_.push_back(std::move(text));
        }
    }
}

std::string Renaming::new_name(const RandomStream& random, std::uint64_t position) const {
    const std::string& first = parts_[random.bits(position) % parts_.size()];
    const std::string& second = parts_[random.bits(position + 1) % parts_.size()];
    const std::size_t beginning = 2 + random.bits(position + 2) % (first.size() / 2);
    const std::size_t end = 1 + random.bits(position + 3) % (second.size() / 2);
    std::string name = first.substr(0, beginning) + second.substr(second.size() - end);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

bool Renaming::apply(std::string& source, std::string& target, const RandomStream& random,
                     std::uint64_t position) const {
    if (parts_.empty()) return false;
    std::vector<std::string> names;
    for (const Word& word : words_of(source)) {
        std::string text = source.substr(word.begin, word.length);
        if (!is_capitalised(text) || small_.count(with_first_letter_small(text)) > 0) continue;
        if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(std::move(text));
    }
    bool changed = false;
    for (const std::string& name : names) {
        std::string renamed = target;
        const std::string replacement = new_name(random, position);
        replace_word(renamed, name, replacement);
        if (renamed == target) continue;
        target = std::move(renamed);
        replace_word(source, name, replacement);
        position += 4;
        changed = true;
    }
    return changed;
}

}  // namespace softalign
