#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/model_file.hpp"
#include "core/search/search.hpp"
#include "core/text/unicode.hpp"

namespace softalign {

/// A translated hypothesis with its tokens.
struct TranslatedHypothesis {
    std::string text;
    std::vector<Token> target;  ///< [T], the last is EOS (special) when finished
    Hypothesis hypothesis;
};

struct Translation {
    std::string input;                             ///< the prepared text that the source tokens' offsets refer to
    std::vector<Token> source;                     ///< [S]
    std::vector<TranslatedHypothesis> hypotheses;  ///< best first; one empty hypothesis where the input is empty
    std::vector<SearchNode> tree;                  ///< every word that was in the beam
};

/// The front door: text in, text and alignment out, from one model file.
class Translator {
  public:
    /// Parameters in 8 bits are let go once they are laid out, and the bytes of their file with them.
    Translator(StoredModel model, Normaliser normaliser);

    Translation translate(std::string_view text, const SearchOptions& options, simd::Executor& executor) const;
    std::vector<Translation> translate(const std::vector<std::string>& texts, const SearchOptions& options,
                                       simd::Executor& executor) const;

    /// The target's symbols for a text, such as the beginning of a translation that somebody types; without EOS.
    std::vector<int> target_ids(std::string_view text) const;

    const ModelDescription& description() const { return description_; }
    const Seq2Seq& model() const { return model_; }

  private:
    ModelDescription description_;
    Normaliser normalise_;
    Seq2Seq model_;
};

}  // namespace softalign
