#include "core/model/configuration.hpp"

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/model/parameters.hpp"

namespace softalign {
namespace {

constexpr std::size_t kLargestSize = std::size_t{1} << 20;
constexpr std::size_t kMostLayers = 16;
// As floats 2 GiB: a byte count of all parameters still fits the 32-bit size_t of WebAssembly.
constexpr std::uint64_t kMostParameters = std::uint64_t{1} << 29;

constexpr std::array<std::pair<Style, const char*>, 3> kStyles{
    {{Style::none, "none"}, {Style::bahdanau, "bahdanau"}, {Style::luong, "luong"}}};

constexpr std::array<std::pair<Score, const char*>, 6> kScores{{{Score::none, "none"},
                                                                {Score::additive, "additive"},
                                                                {Score::concat, "concat"},
                                                                {Score::general, "general"},
                                                                {Score::dot, "dot"},
                                                                {Score::scaled_dot, "scaled_dot"}}};

template <class Names, class Value>
const char* name_in(const Names& names, Value value) {
    for (const auto& [each, text] : names) {
        if (each == value) return text;
    }
    return "?";
}

template <class Names>
auto value_in(const Names& names, const std::string& name, const char* key) {
    std::string known;
    for (const auto& [value, text] : names) {
        if (name == text) return value;
        known += (known.empty() ? "" : ", ") + std::string(text);
    }
    throw FormatError(std::string(key) + ": there is no \"" + name + "\"; it is one of " + known + ".");
}

void refuse(const std::string& key, const std::string& why) {
    throw FormatError("configuration: " + key + ": " + why + ".");
}

void check_size(const char* key, std::size_t value, std::size_t least, std::size_t most) {
    if (value < least || value > most) {
        refuse(key,
               std::to_string(value) + " is not between " + std::to_string(least) + " and " + std::to_string(most));
    }
}

void check_attention(const Configuration& c) {
    if (c.style == Style::none && c.score != Score::none) {
        refuse("score", std::string(name(c.score)) + " needs an attention, but style is none");
    }
    if (c.style != Style::none && c.score == Score::none) {
        refuse("score", std::string("style ") + name(c.style) + " needs a score, but it is none");
    }
    if ((c.score == Score::additive || c.score == Score::concat) && c.attn == 0) {
        refuse("attn", std::string("0, but score ") + name(c.score) + " needs attention units");
    }
    if ((c.score == Score::dot || c.score == Score::scaled_dot) && c.dec_hidden != c.source_size()) {
        refuse("score", std::string(name(c.score)) + " compares vectors of one size, but dec_hidden is " +
                            std::to_string(c.dec_hidden) + " and a source state has " +
                            std::to_string(c.source_size()));
    }
    if (c.input_feeding && c.style != Style::luong) {
        refuse("input_feeding", std::string("belongs to style luong, but style is ") + name(c.style));
    }
}

}  // namespace

std::size_t Configuration::recurrent_input_size() const {
    switch (style) {
        case Style::bahdanau:
            return source_size();
        case Style::luong:
            return input_feeding ? dec_hidden : 0;
        case Style::none:
            break;
    }
    return 0;
}

std::size_t Configuration::decoder_output_size() const {
    return style == Style::bahdanau ? dec_hidden + source_size() : dec_hidden;
}

void Configuration::validate() const {
    // PAD, BOS, EOS, UNK and at least one word.
    check_size("src_vocab", src_vocab, kSymbols + 1, kLargestSize);
    check_size("tgt_vocab", tgt_vocab, kSymbols + 1, kLargestSize);
    check_size("embed", embed, 1, kLargestSize);
    check_size("enc_hidden", enc_hidden, 1, kLargestSize);
    check_size("dec_hidden", dec_hidden, 1, kLargestSize);
    check_size("attn", attn, 0, kLargestSize);
    check_size("layers", layers, 1, kMostLayers);
    check_size("readout", readout, 0, kLargestSize);

    check_attention(*this);
    if (!bridge && dec_hidden != source_size()) {
        refuse("bridge", "needed because a source state has " + std::to_string(source_size()) +
                             " numbers and dec_hidden is " + std::to_string(dec_hidden));
    }
    if (tied && head_input_size() != embed) {
        refuse("tied", "the output layer reads " + std::to_string(head_input_size()) +
                           " numbers, but the embedding it shares has " + std::to_string(embed));
    }

    const std::uint64_t parameters = parameter_count(*this);
    if (parameters > kMostParameters) {
        throw FormatError("configuration: a model of these sizes has " + std::to_string(parameters) +
                          " parameters; at most " + std::to_string(kMostParameters) + " are supported.");
    }
}

bool operator==(const Configuration& a, const Configuration& b) {
    const auto keys = [](const Configuration& c) {
        return std::tie(c.src_vocab, c.tgt_vocab, c.embed, c.enc_hidden, c.dec_hidden, c.attn, c.layers,
                        c.bidirectional, c.bridge, c.style, c.score, c.input_feeding, c.readout, c.tied);
    };
    return keys(a) == keys(b);
}

const char* name(Style style) {
    return name_in(kStyles, style);
}
const char* name(Score score) {
    return name_in(kScores, score);
}

Style style_from(const std::string& name) {
    return value_in(kStyles, name, "style");
}
Score score_from(const std::string& name) {
    return value_in(kScores, name, "score");
}

}  // namespace softalign
