#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// How large a vocabulary counted from text becomes.
struct VocabularyOptions {
    std::size_t minimum_count = 1;  ///< what is rarer becomes UNK
    std::size_t limit = 0;          ///< entries, PAD, BOS, EOS and UNK among them; 0: no limit
    bool append_eos = false;        ///< whether encoded text ends with EOS
};

/// The vocabulary of prepared texts, the most frequent first and equals in the order of their bytes.
std::unique_ptr<Tokenizer> build_chars_tokenizer(const std::vector<std::string>& texts,
                                                 const VocabularyOptions& options);
std::unique_ptr<Tokenizer> build_words_tokenizer(const std::vector<std::string>& texts,
                                                 const VocabularyOptions& options);

}  // namespace softalign
