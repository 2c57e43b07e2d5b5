#include "core/model/configuration.hpp"

#include <cstdint>
#include <tuple>

#include "core/error.hpp"
#include "core/model/parameters.hpp"

namespace softalign {
namespace {

constexpr std::size_t kLargestSize = std::size_t{1} << 20;
constexpr std::size_t kMostLayers = 16;
// 2 GiB as floats: the byte count of all parameters still fits the 32-bit size_t of WebAssembly.
constexpr std::uint64_t kMostParameters = std::uint64_t{1} << 29;

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
    const std::string score = kind(c.score).name;
    const std::string style = kind(c.style).name;
    if (!kind(c.style).attends && c.score != Score::none) {
        refuse("score", score + " needs attention, but style is none");
    }
    if (kind(c.style).attends && c.score == Score::none) {
        refuse("score", "style " + style + " needs a score, but it is none");
    }
    if (kind(c.score).has_units && c.attn == 0) refuse("attn", "0, but score " + score + " needs attention units");
    if (kind(c.score).compares_sizes && c.dec_hidden != c.source_size()) {
        refuse("score", score + " compares vectors of one size, but dec_hidden is " + std::to_string(c.dec_hidden) +
                            " and a source state has " + std::to_string(c.source_size()));
    }
    if (c.input_feeding && !kind(c.style).can_feed) {
        refuse("input_feeding", "belongs to style luong, but style is " + style);
    }
}

}  // namespace

std::size_t Configuration::recurrent_input_size() const {
    if (kind(style).reads_context) return source_size();
    return input_feeding ? dec_hidden : 0;
}

std::size_t Configuration::decoder_output_size() const {
    return dec_hidden + (kind(style).hands_on_context ? source_size() : 0);
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
                        c.bidirectional, c.bridge, c.cell, c.style, c.score, c.input_feeding, c.readout, c.tied);
    };
    return keys(a) == keys(b);
}

}  // namespace softalign
