#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// One token of a text. `begin` and `end` are byte offsets into the text that was encoded or decoded; `text` is what a
/// person reads there: no word-boundary mark, and the original characters for an unknown token of a source. If the
/// token is `special` (PAD, BOS, EOS), it is the symbol's name ("</s>"), which is not part of the text: `begin` equals
/// `end`.
struct Token {
    int id = 0;
    std::string text;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool special = false;
    bool starts_word = true;  ///< false for a piece that continues the word before it
};

struct DecodedText {
    std::string text;
    std::vector<Token> tokens;  ///< one for each id, with offsets into `text`
};

/// Turns text into symbols and back. Its input is valid UTF-8 in NFC (`prepare_text`).
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// The tokens of a text, without BOS; followed by EOS if this tokenizer appends it.
    virtual std::vector<Token> encode(std::string_view text) const = 0;
    /// The text of symbols. PAD, BOS and EOS become nothing, UNK becomes U+2047. Throws UsageError for an id that is
    /// negative or not below vocabulary_size().
    virtual DecodedText decode(const std::vector<int>& ids) const = 0;
    virtual std::size_t vocabulary_size() const = 0;
    /// "chars", "words" or "bpe"
    virtual const char* kind() const = 0;
    /// Whether `encode` appends EOS.
    virtual bool appends_eos() const = 0;
    /// What `tokenizer_from_json` takes.
    virtual nlohmann::json to_json() const = 0;
};

/// Builds a tokenizer from the JSON object stored in a model file (untrusted), and moves its strings out. Throws
/// FormatError.
///     {"kind": "chars", "symbols": ["e", " ", ...], "append_eos": false}
///     {"kind": "words", "symbols": ["the", ...], "append_eos": false}
///     {"kind": "bpe", "pieces": ["\u2581t", "he", ...], "append_eos": true}
/// The lists continue after PAD, BOS, EOS and UNK; BPE pieces earlier in the list are merged earlier.
std::unique_ptr<Tokenizer> tokenizer_from_json(nlohmann::json object);

}  // namespace softalign
