#include "core/text/vocabulary.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/symbols.hpp"
#include "core/text/chars.hpp"
#include "core/text/words.hpp"

namespace softalign {
namespace {

/// Counts the tokens into which `split`, a tokenizer without symbols, splits the texts, and chooses among them.
std::vector<std::string> choose_symbols(const std::vector<std::string>& texts, const Tokenizer& split,
                                        const VocabularyOptions& options) {
    std::unordered_map<std::string, std::size_t> counts;
    for (const std::string& text : texts) {
        for (const Token& token : split.encode(text)) ++counts[token.text];
    }
    std::vector<std::pair<std::string, std::size_t>> ranked;
    for (const auto& entry : counts) {
        if (entry.second >= options.minimum_count) ranked.push_back(entry);
    }
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    if (options.limit > 0) {
        const std::size_t room = options.limit > kSymbols ? options.limit - kSymbols : 0;
        ranked.resize(std::min(ranked.size(), room));
    }
    std::vector<std::string> symbols;
    symbols.reserve(ranked.size());
    for (const auto& entry : ranked) symbols.push_back(entry.first);
    return symbols;
}

}  // namespace

std::unique_ptr<Tokenizer> build_chars_tokenizer(const std::vector<std::string>& texts,
                                                 const VocabularyOptions& options) {
    return make_chars_tokenizer(choose_symbols(texts, *make_chars_tokenizer({}, false), options), options.append_eos);
}

std::unique_ptr<Tokenizer> build_words_tokenizer(const std::vector<std::string>& texts,
                                                 const VocabularyOptions& options) {
    return make_words_tokenizer(choose_symbols(texts, *make_words_tokenizer({}, false), options), options.append_eos);
}

}  // namespace softalign
