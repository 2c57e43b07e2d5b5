#include "core/text/bpe.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/symbols.hpp"
#include "core/text/symbol_table.hpp"
#include "core/text/unicode.hpp"

namespace softalign {
namespace {

constexpr std::string_view kMark = "\xE2\x96\x81";  // U+2581, where a word starts

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

/// The text as characters with the spaces marked, and where each stands in the original.
struct MarkedText {
    std::string text;
    std::vector<std::size_t> starts;  ///< [N + 1] byte offsets into `text`
    std::vector<std::size_t> begin;   ///< [N] byte offsets into the original
    std::vector<std::size_t> end;     ///< [N]

    std::size_t size() const { return begin.size(); }
    std::string_view character(std::size_t i) const {
        return std::string_view(text).substr(starts[i], starts[i + 1] - starts[i]);
    }
};

MarkedText mark_spaces(std::string_view original) {
    MarkedText marked;
    const auto append = [&](std::string_view character, std::size_t begin, std::size_t end) {
        marked.starts.push_back(marked.text.size());
        marked.text += character;
        marked.begin.push_back(begin);
        marked.end.push_back(end);
    };
    bool after_space = true;
    for (std::size_t place = 0; place < original.size();) {
        const std::string_view character = original.substr(place, character_length(original.substr(place)));
        const std::size_t end = place + character.size();
        const bool is_space = character == " ";
        if (marked.size() == 0 && !is_space) append(kMark, place, place);
        if (!is_space || !after_space) append(is_space ? kMark : character, place, end);
        after_space = is_space;
        place = end;
    }
    marked.starts.push_back(marked.text.size());
    while (marked.size() > 0 && marked.character(marked.size() - 1) == kMark) {
        marked.starts.pop_back();
        marked.begin.pop_back();
        marked.end.pop_back();
        marked.text.resize(marked.starts.back());
    }
    return marked;
}

/// A list of adjacent spans over the characters of a text, in which two neighbours can be merged.
class Spans {
  public:
    explicit Spans(std::size_t characters) : next_(characters), previous_(characters) {
        for (std::size_t i = 0; i < characters; ++i) {
            next_[i] = i + 1;
            previous_[i] = i - 1;  // kNone before the first
        }
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// A span is identified by its first character; this is the first character after it.
    std::size_t end(std::size_t span) const { return next_[span]; }
    std::size_t previous(std::size_t span) const { return previous_[span]; }
    bool is_last(std::size_t span) const { return next_[span] == next_.size(); }
    /// Whether a span that began here has not been merged into the one before.
    bool exists(std::size_t span) const { return next_[span] != kNone; }

    void merge_with_next(std::size_t span) {
        const std::size_t merged = next_[span];
        next_[span] = next_[merged];
        next_[merged] = kNone;
        if (!is_last(span)) previous_[next_[span]] = span;
    }

  private:
    std::vector<std::size_t> next_;
    std::vector<std::size_t> previous_;
};

class BpeTokenizer final : public Tokenizer {
  public:
    BpeTokenizer(std::vector<std::string> pieces, bool append_eos)
        : pieces_(std::move(pieces), "bpe tokenizer, pieces"), append_eos_(append_eos) {
        for (const std::string& piece : pieces_.texts()) {
            if (piece.find(' ') != std::string::npos) {
                throw FormatError("bpe tokenizer, pieces: " + shown_text(piece) + " has a space in it.");
            }
            longest_ = std::max(longest_, piece.size());
        }
    }

    std::vector<Token> encode(std::string_view text) const override {
        const MarkedText marked = mark_spaces(text);
        const Spans spans = merge(marked);
        std::vector<Token> tokens;
        for (std::size_t span = 0; span < marked.size(); span = spans.end(span)) {
            append_token(tokens, text, marked, span, spans.end(span));
        }
        if (append_eos_) tokens.push_back(special_token(EOS, text.size()));
        return tokens;
    }

    DecodedText decode(const std::vector<int>& ids) const override {
        DecodedText decoded;
        for (int id : ids) {
            std::string_view piece = pieces_.text(id);
            if (is_special(id)) {
                decoded.tokens.push_back(special_token(id, decoded.text.size()));
                continue;
            }
            const bool starts_word = starts_with(piece, kMark) || decoded.text.empty();
            for (; starts_with(piece, kMark); piece.remove_prefix(kMark.size())) {
                if (!decoded.text.empty()) decoded.text += ' ';
            }
            const std::size_t begin = decoded.text.size();
            while (!piece.empty()) {
                const std::string_view character = piece.substr(0, character_length(piece));
                decoded.text += character == kMark ? " " : character;
                piece.remove_prefix(character.size());
            }
            decoded.tokens.push_back({id, decoded.text.substr(begin), begin, decoded.text.size(), false, starts_word});
        }
        return decoded;
    }

    std::size_t vocabulary_size() const override { return pieces_.size(); }

    bool appends_eos() const override { return append_eos_; }
    const char* kind() const override { return "bpe"; }

    nlohmann::json to_json() const override {
        return {{"kind", kind()}, {"pieces", pieces_.texts()}, {"append_eos", append_eos_}};
    }

  private:
    /// Merges, best pair first: O(N log N) for N characters, since a merge creates at most two new pairs.
    Spans merge(const MarkedText& marked) const {
        struct Pair {
            int id;  // of the merged piece
            std::size_t left;
            std::size_t right;
            std::size_t end;  // of the right span

            bool operator>(const Pair& other) const { return std::tie(id, left) > std::tie(other.id, other.left); }
        };
        Spans spans(marked.size());
        std::priority_queue<Pair, std::vector<Pair>, std::greater<Pair>> pairs;
        const auto consider = [&](std::size_t left) {
            if (spans.is_last(left)) return;
            const std::size_t right = spans.end(left);
            const std::size_t end = spans.end(right);
            const std::size_t bytes = marked.starts[end] - marked.starts[left];
            if (bytes > longest_) return;
            const int id = pieces_.id(std::string_view(marked.text).substr(marked.starts[left], bytes));
            if (id != UNK) pairs.push({id, left, right, end});
        };
        for (std::size_t i = 0; i < marked.size(); ++i) consider(i);
        while (!pairs.empty()) {
            const Pair pair = pairs.top();
            pairs.pop();
            // Either side may have been merged with another neighbour since the pair was seen.
            if (!spans.exists(pair.left) || spans.end(pair.left) != pair.right || spans.end(pair.right) != pair.end) {
                continue;
            }
            spans.merge_with_next(pair.left);
            if (spans.previous(pair.left) != Spans::kNone) consider(spans.previous(pair.left));
            consider(pair.left);
        }
        return spans;
    }

    /// The token of the characters [first, last).
    void append_token(std::vector<Token>& tokens, std::string_view original, const MarkedText& marked,
                      std::size_t first, std::size_t last) const {
        const std::size_t start = marked.starts[first];
        const int id = pieces_.id(std::string_view(marked.text).substr(start, marked.starts[last] - start));
        const std::size_t end = marked.end[last - 1];
        if (id == UNK && !tokens.empty() && tokens.back().id == UNK) {
            tokens.back().end = end;
            tokens.back().text = original.substr(tokens.back().begin, end - tokens.back().begin);
            return;
        }
        std::size_t visible = first;
        while (visible < last && marked.character(visible) == kMark) ++visible;
        const std::size_t begin = visible < last ? marked.begin[visible] : end;
        tokens.push_back({id, std::string(original.substr(begin, end - begin)), begin, end, false, visible > first});
    }

    SymbolTable pieces_;
    std::size_t longest_ = 0;  ///< bytes of the longest piece
    bool append_eos_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_bpe_tokenizer(std::vector<std::string> pieces, bool append_eos) {
    return std::make_unique<BpeTokenizer>(std::move(pieces), append_eos);
}

}  // namespace softalign
