#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// Texts and ids of a vocabulary, which starts with PAD, BOS, EOS and UNK.
class SymbolTable {
  public:
    /// `texts` get the ids from 4 on. Throws FormatError if one is empty, not UTF-8 or repeated, or if there are too
    /// many; `what` names the list in the message.
    SymbolTable(std::vector<std::string> texts, const std::string& what);

    // The ids are looked up by views of the texts.
    SymbolTable(const SymbolTable&) = delete;
    SymbolTable& operator=(const SymbolTable&) = delete;

    /// UNK if the text is not in the table.
    int id(std::string_view text) const;
    /// The name of a special symbol; "\u2047" for UNK. Throws UsageError if there is no such id.
    std::string_view text(int id) const;
    std::size_t size() const;
    /// Without the special symbols, from id 4 on.
    const std::vector<std::string>& texts() const { return texts_; }

  private:
    std::vector<std::string> texts_;
    std::unordered_map<std::string_view, int> ids_;
};

/// PAD, BOS or EOS.
bool is_special(int id);
/// A special symbol's token, at a place between two bytes of the text.
Token special_token(int id, std::size_t place);

}  // namespace softalign
