#include "native/data/bpe_trainer.hpp"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/error.hpp"
#include "core/symbols.hpp"

namespace softalign {
namespace {

/// The library counts the letters of a word in 16 bits. If there are too many, it ends the process, or worse.
constexpr std::size_t kLongestWord = 16'384;

bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// The text with spaces inserted into words longer than kLongestWord: DNA, base64, a document without spaces.
std::string with_short_words(const std::string& text) {
    std::string result;
    std::size_t letters = 0;  // of the word so far
    for (const char byte : text) {
        if (begins_character(byte) && letters == kLongestWord) {
            result += ' ';
            letters = 0;
        }
        if (begins_character(byte)) letters = byte == ' ' ? 0 : letters + 1;
        result += byte;
    }
    return result;
}

std::size_t different_characters(const std::vector<std::string>& texts) {
    std::unordered_set<std::string> characters{"\u2581"};  // what the library puts for a space
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin < text.size();) {
            std::size_t end = begin + 1;
            while (end < text.size() && !begins_character(text[end])) ++end;
            if (text[begin] != ' ') characters.insert(text.substr(begin, end - begin));
            begin = end;
        }
    }
    return characters.size();
}

/// Passes the texts to the library one by one.
class TextIterator final : public sentencepiece::SentenceIterator {
  public:
    explicit TextIterator(const std::vector<std::string>& texts) : texts_(texts) {}

    bool done() const override { return next_ == texts_.size(); }
    void Next() override { ++next_; }
    const std::string& value() const override {
        cut_ = with_short_words(texts_[next_]);
        return cut_;
    }
    sentencepiece::util::Status status() const override { return {}; }

  private:
    const std::vector<std::string>& texts_;
    std::size_t next_ = 0;
    mutable std::string cut_;
};

std::unordered_map<std::string, std::string> settings(const std::vector<std::string>& texts,
                                                      std::size_t vocabulary_size) {
    // The library would skip longer lines; it refuses values below 10.
    std::size_t longest = 10;
    for (const std::string& text : texts) longest = std::max(longest, text.size() + text.size() / kLongestWord);
    return {{"model_type", "bpe"},
            {"vocab_size", std::to_string(vocabulary_size)},
            {"hard_vocab_limit", "false"},
            {"character_coverage", "1.0"},
            {"byte_fallback", "false"},
            {"normalization_rule_name", "identity"},  // the texts are already in NFC
            {"pad_id", std::to_string(PAD)},
            {"bos_id", std::to_string(BOS)},
            {"eos_id", std::to_string(EOS)},
            {"unk_id", std::to_string(UNK)},
            {"max_sentence_length", std::to_string(longest)},
            {"num_threads", "1"},
            {"minloglevel", "2"}};
}

/// The library's messages start with a place in its source and the condition in brackets; the rest is for people.
void require(const sentencepiece::util::Status& status) {
    if (status.ok()) return;
    const std::string message = status.ToString();
    const std::size_t bracket = message.find("] ");
    throw UsageError("The BPE vocabulary could not be learned: " +
                     (bracket == std::string::npos ? message : message.substr(bracket + 2)));
}

}  // namespace

std::string learn_sentencepiece_model(const std::vector<std::string>& texts, std::size_t vocabulary_size) {
    const auto is_empty = [](const std::string& text) { return text.empty(); };
    if (std::all_of(texts.begin(), texts.end(), is_empty)) {
        throw UsageError("The BPE vocabulary could not be learned: there is no text.");
    }
    const std::size_t least = kSymbols + different_characters(texts);
    if (vocabulary_size < least) {
        throw UsageError(std::to_string(vocabulary_size) +
                         " symbols are too few: the characters of the text alone are " + std::to_string(least));
    }
    TextIterator iterator(texts);
    std::string model;
    require(sentencepiece::SentencePieceTrainer::Train(settings(texts, vocabulary_size), &iterator, &model));
    return model;
}

std::vector<std::string> pieces_of_sentencepiece_model(const std::string& model) {
    sentencepiece::SentencePieceProcessor library;
    require(library.LoadFromSerializedProto(model));
    std::vector<std::string> pieces;
    for (int id = kSymbols; id < library.GetPieceSize(); ++id) {
        // The order alone decides what is merged first; our tokenizer keeps no scores.
        if (id > kSymbols && library.GetScore(id) >= library.GetScore(id - 1)) {
            throw Error("This version of SentencePiece does not list BPE pieces in the order of their merges.");
        }
        pieces.push_back(library.IdToPiece(id));
    }
    return pieces;
}

std::vector<std::string> learn_bpe(const std::vector<std::string>& texts, std::size_t vocabulary_size) {
    return pieces_of_sentencepiece_model(learn_sentencepiece_model(texts, vocabulary_size));
}

}  // namespace softalign
