#include "core/text/words.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/symbols.hpp"
#include "core/text/symbol_table.hpp"

namespace softalign {
namespace {

class WordsTokenizer final : public Tokenizer {
  public:
    WordsTokenizer(std::vector<std::string> symbols, bool append_eos)
        : symbols_(std::move(symbols), "words tokenizer, symbols"), append_eos_(append_eos) {
        for (const std::string& symbol : symbols_.texts()) {
            if (symbol.find(' ') != std::string::npos) {
                throw FormatError("words tokenizer, symbols: " + shown_text(symbol) + " has a space in it.");
            }
        }
    }

    std::vector<Token> encode(std::string_view text) const override {
        std::vector<Token> tokens;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find(' ', begin), text.size());
            if (end > begin) {
                const std::string_view word = text.substr(begin, end - begin);
                tokens.push_back({symbols_.id(word), std::string(word), begin, end, false, true});
            }
            begin = end + 1;
        }
        if (append_eos_) tokens.push_back(special_token(EOS, text.size()));
        return tokens;
    }

    DecodedText decode(const std::vector<int>& ids) const override {
        DecodedText decoded;
        for (int id : ids) {
            const std::string_view word = symbols_.text(id);
            if (is_special(id)) {
                decoded.tokens.push_back(special_token(id, decoded.text.size()));
                continue;
            }
            if (!decoded.text.empty()) decoded.text += ' ';
            const std::size_t begin = decoded.text.size();
            decoded.text += word;
            decoded.tokens.push_back({id, std::string(word), begin, decoded.text.size(), false, true});
        }
        return decoded;
    }

    std::size_t vocabulary_size() const override { return symbols_.size(); }

    bool appends_eos() const override { return append_eos_; }
    const char* kind() const override { return "words"; }

    nlohmann::json to_json() const override {
        return {{"kind", kind()}, {"symbols", symbols_.texts()}, {"append_eos", append_eos_}};
    }

  private:
    SymbolTable symbols_;
    bool append_eos_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_words_tokenizer(std::vector<std::string> symbols, bool append_eos) {
    return std::make_unique<WordsTokenizer>(std::move(symbols), append_eos);
}

}  // namespace softalign
