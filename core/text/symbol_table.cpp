#include "core/text/symbol_table.hpp"

#include <array>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/symbols.hpp"
#include "core/text/unicode.hpp"

namespace softalign {
namespace {

constexpr std::size_t kMostSymbols = std::size_t{1} << 20;
constexpr std::array<std::string_view, kSymbols> kNames{"<pad>", "<s>", "</s>", "\xE2\x81\x87"};

}  // namespace

SymbolTable::SymbolTable(std::vector<std::string> texts, const std::string& what) : texts_(std::move(texts)) {
    if (texts_.size() > kMostSymbols - kSymbols) {
        throw FormatError(what + ": " + std::to_string(texts_.size()) + " entries are too many; at most " +
                          std::to_string(kMostSymbols - kSymbols) + " are supported.");
    }
    ids_.reserve(texts_.size());
    int next = kSymbols;
    for (const std::string& text : texts_) {
        if (text.empty()) throw FormatError(what + ": the entry of id " + std::to_string(next) + " is empty.");
        if (!is_valid_utf8(text)) throw FormatError(what + ": " + shown_text(text) + " is not UTF-8.");
        if (!ids_.emplace(text, next).second) throw FormatError(what + ": " + shown_text(text) + " appears twice.");
        ++next;
    }
}

int SymbolTable::id(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? UNK : found->second;
}

std::string_view SymbolTable::text(int id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= size()) {
        throw UsageError("There is no symbol " + std::to_string(id) + " in a vocabulary of " + std::to_string(size()) +
                         ".");
    }
    const auto index = static_cast<std::size_t>(id);
    return id < kSymbols ? kNames[index] : std::string_view(texts_[index - kSymbols]);
}

std::size_t SymbolTable::size() const {
    return texts_.size() + kSymbols;
}

bool is_special(int id) {
    return id == PAD || id == BOS || id == EOS;
}

Token special_token(int id, std::size_t place) {
    return {id, std::string(kNames[static_cast<std::size_t>(id)]), place, place, true, true};
}

}  // namespace softalign
