#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// Byte-pair encoding (Sennrich, Haddow and Birch 2016) as the SentencePiece library applies it: spaces become U+2581,
/// one stands before the first word, and of all neighbours whose concatenation is a piece the earliest piece is merged
/// first, the leftmost pair of equals. Neighbouring unknown characters make one UNK.
///
/// `pieces` get the ids from 4 on, in the order in which they were learned. Throws FormatError when they make no
/// vocabulary.
std::unique_ptr<Tokenizer> make_bpe_tokenizer(std::vector<std::string> pieces, bool append_eos);

}  // namespace softalign
