#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// How large a vocabulary counted from text may become.
struct VocabularyOptions {
    std::size_t minimum_count = 1;  ///< rarer symbols become UNK
    std::size_t limit = 0;          ///< entries, including PAD, BOS, EOS and UNK; 0: no limit
    bool append_eos = false;        ///< whether encoded text ends with EOS
};

/// The vocabulary of prepared texts, most frequent first, ties in the order of their bytes.
std::unique_ptr<Tokenizer> build_chars_tokenizer(const std::vector<std::string>& texts,
                                                 const VocabularyOptions& options);
std::unique_ptr<Tokenizer> build_words_tokenizer(const std::vector<std::string>& texts,
                                                 const VocabularyOptions& options);

}  // namespace softalign
