#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign {

/// Learns byte-pair-encoding pieces from prepared texts with the SentencePiece library, for `make_bpe_tokenizer`. A
/// joint vocabulary of two languages is learned from the texts of both.
///
/// @param vocabulary_size at most, including PAD, BOS, EOS and UNK; smaller if the texts have no more pieces
/// @return the pieces from id 4 on. The same texts in the same order give the same pieces.
/// Throws UsageError if there is no text, or too many characters for so few pieces.
std::vector<std::string> learn_bpe(const std::vector<std::string>& texts, std::size_t vocabulary_size);

/// The same as the library's own serialised model.
std::string learn_sentencepiece_model(const std::vector<std::string>& texts, std::size_t vocabulary_size);
/// The pieces of a serialised BPE model from id 4 on.
std::vector<std::string> pieces_of_sentencepiece_model(const std::string& model);

}  // namespace softalign
