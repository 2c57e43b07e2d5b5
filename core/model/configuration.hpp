#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/model/style.hpp"
#include "core/nn/cell.hpp"
#include "core/nn/score.hpp"
#include "core/symbols.hpp"

namespace softalign {

/// The shape of a model: the keys of a model file's configuration.
struct Configuration {
    std::size_t src_vocab = 0;
    std::size_t tgt_vocab = 0;
    std::size_t embed = 0;       ///< size of both embeddings
    std::size_t enc_hidden = 0;  ///< per direction
    std::size_t dec_hidden = 0;
    std::size_t attn = 0;    ///< attention units of `additive` and `concat`
    std::size_t layers = 1;  ///< of both sides
    bool bidirectional = false;
    bool bridge = false;
    Cell cell = Cell::lstm;  ///< of both sides
    Style style = Style::bahdanau;
    Score score = Score::additive;
    bool input_feeding = false;  ///< `luong` only
    std::size_t readout = 0;     ///< size of the readout; 0: none
    bool tied = false;           ///< the output layer's matrix is the target embedding

    /// Size of a source state h_i: both directions concatenated.
    std::size_t source_size() const { return enc_hidden * (bidirectional ? 2 : 1); }
    AttentionSizes attention_sizes() const { return {dec_hidden, source_size(), attn}; }
    /// Size of what the decoder's first layer reads from the previous word: its embedding, or nothing.
    std::size_t word_input_size() const { return kind(style).reads_word ? embed : 0; }
    /// Size of what else it reads: the context, the fed attentional vector, or nothing.
    std::size_t recurrent_input_size() const;
    /// Size of all it reads.
    std::size_t first_layer_input_size() const { return word_input_size() + recurrent_input_size(); }
    StyleSizes style_sizes() const { return {cell, embed, dec_hidden, source_size()}; }
    /// Size of what the decoder hands on before an optional readout: [h; context], the attentional vector, or h.
    std::size_t decoder_output_size() const;
    /// Size of what the output layer reads.
    std::size_t head_input_size() const { return readout > 0 ? readout : decoder_output_size(); }

    /// Throws FormatError that names the key if a value is impossible or contradicts another.
    void validate() const;
};

bool operator==(const Configuration& a, const Configuration& b);

}  // namespace softalign
