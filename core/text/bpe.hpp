#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// Byte-pair encoding (Sennrich, Haddow and Birch 2016) as the SentencePiece library applies it: spaces become U+2581,
/// another one precedes the first word, and among all neighbours whose concatenation is a piece, those that make the
/// earliest piece are merged first, the leftmost pair first among equals. Neighbouring unknown characters become one
/// UNK.
///
/// `pieces` get the ids from 4 on, in the order in which they were learned. Throws FormatError if they do not form a
/// vocabulary.
std::unique_ptr<Tokenizer> make_bpe_tokenizer(std::vector<std::string> pieces, bool append_eos);

}  // namespace softalign
