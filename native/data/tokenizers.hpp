#pragma once

#include <cstddef>
#include <memory>

#include "core/text/tokenizer.hpp"
#include "native/data/corpus.hpp"

namespace softalign {

enum class TokenizerKind { chars, words, bpe };

struct TokenizersRecipe {
    TokenizerKind source = TokenizerKind::bpe;
    TokenizerKind target = TokenizerKind::bpe;
    std::size_t source_size = 6000;  ///< symbols at most, including the four special ones
    std::size_t target_size = 6000;
    bool joint = false;             ///< one vocabulary, of both languages' texts, for both sides
    std::size_t minimum_count = 1;  ///< chars and words: rarer ones are unknown
    bool append_eos = false;        ///< whether a source ends with EOS
};

struct Tokenizers {
    std::shared_ptr<const Tokenizer> source;
    std::shared_ptr<const Tokenizer> target;
};

/// Counts or learns the vocabularies of a recipe, as large as it says or as the texts allow. Throws UsageError that
/// names the sides, the flags and the reasons if a text is too poor or its vocabulary too small.
Tokenizers build_tokenizers(const TokenizersRecipe& recipe, const PreparedCorpus& corpus);

}  // namespace softalign
