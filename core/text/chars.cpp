#include "core/text/chars.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/symbols.hpp"
#include "core/text/symbol_table.hpp"
#include "core/text/unicode.hpp"

namespace softalign {
namespace {

class CharsTokenizer final : public Tokenizer {
  public:
    CharsTokenizer(std::vector<std::string> symbols, bool append_eos)
        : symbols_(std::move(symbols), "chars tokenizer, symbols"), append_eos_(append_eos) {
        for (const std::string& symbol : symbols_.texts()) {
            if (character_length(symbol) != symbol.size()) {
                throw FormatError("chars tokenizer, symbols: " + shown_text(symbol) + " is more than one character.");
            }
        }
    }

    std::vector<Token> encode(std::string_view text) const override {
        std::vector<Token> tokens;
        tokens.reserve(text.size() + 1);
        bool starts_word = true;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::string_view character = text.substr(begin, character_length(text.substr(begin)));
            const std::size_t end = begin + character.size();
            tokens.push_back({symbols_.id(character), std::string(character), begin, end, false, starts_word});
            starts_word = character == " ";
            begin = end;
        }
        if (append_eos_) tokens.push_back(special_token(EOS, text.size()));
        return tokens;
    }

    DecodedText decode(const std::vector<int>& ids) const override {
        DecodedText decoded;
        bool starts_word = true;
        for (int id : ids) {
            const std::string_view character = symbols_.text(id);
            const std::size_t begin = decoded.text.size();
            if (is_special(id)) {
                decoded.tokens.push_back(special_token(id, begin));
                continue;
            }
            decoded.text += character;
            decoded.tokens.push_back({id, std::string(character), begin, decoded.text.size(), false, starts_word});
            starts_word = character == " ";
        }
        return decoded;
    }

    std::size_t vocabulary_size() const override { return symbols_.size(); }

    bool appends_eos() const override { return append_eos_; }
    const char* kind() const override { return "chars"; }

    nlohmann::json to_json() const override {
        return {{"kind", kind()}, {"symbols", symbols_.texts()}, {"append_eos", append_eos_}};
    }

  private:
    SymbolTable symbols_;
    bool append_eos_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_chars_tokenizer(std::vector<std::string> symbols, bool append_eos) {
    return std::make_unique<CharsTokenizer>(std::move(symbols), append_eos);
}

}  // namespace softalign
