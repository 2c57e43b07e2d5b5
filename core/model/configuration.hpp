#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/nn/layer_parameters.hpp"
#include "core/symbols.hpp"

namespace softalign {

/// Where the query comes from and what reads the context; `none` is the plain encoder-decoder.
enum class Style { none, bahdanau, luong };

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
    Style style = Style::bahdanau;
    Score score = Score::additive;
    bool input_feeding = false;  ///< `luong` only
    std::size_t readout = 0;     ///< size of the readout; 0: none
    bool tied = false;           ///< the output layer's matrix is the target embedding

    /// Size of a source state h_i: both directions concatenated.
    std::size_t source_size() const { return enc_hidden * (bidirectional ? 2 : 1); }
    /// What the decoder's first layer reads besides the embedding: the context, the fed attentional vector, or nothing.
    std::size_t recurrent_input_size() const;
    /// What the decoder hands on before an optional readout: [h; context], the attentional vector, or h.
    std::size_t decoder_output_size() const;
    /// What the output layer reads.
    std::size_t head_input_size() const { return readout > 0 ? readout : decoder_output_size(); }

    /// Throws FormatError naming the key when a value is impossible or two contradict each other.
    void validate() const;
};

bool operator==(const Configuration& a, const Configuration& b);

const char* name(Style style);
const char* name(Score score);
/// Throw FormatError when there is no such style or score.
Style style_from(const std::string& name);
Score score_from(const std::string& name);

/// Name and shape of one parameter, as in a PyTorch state_dict.
struct ParameterSpecification {
    std::string name;
    std::vector<std::size_t> shape;
};

/// Every parameter of a model of this shape, in a fixed order.
std::vector<ParameterSpecification> parameters_of(const Configuration& configuration);

}  // namespace softalign
