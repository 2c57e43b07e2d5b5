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
    std::vector<TranslatedHypothesis> hypotheses;  ///< best first; one empty hypothesis if the input is empty
    std::vector<SearchNode> tree;                  ///< every word that was in the beam
};

/// The front door: text in, text and alignment out, from one model file.
class Translator {
  public:
    /// 8-bit parameters, and the bytes of their file, are released once they are laid out.
    Translator(StoredModel model, Normaliser normaliser);

    Translation translate(std::string_view text, const SearchOptions& options, simd::Executor& executor) const;
    std::vector<Translation> translate(const std::vector<std::string>& texts, const SearchOptions& options,
                                       simd::Executor& executor) const;

    /// A text as its tokens' offsets refer to it, and its tokens; without hypotheses.
    Translation prepare(std::string_view text) const;

    /// The target symbols of a text, such as the beginning of a translation that a reader types; without EOS.
    std::vector<int> target_ids(std::string_view text) const;

    const ModelDescription& description() const { return description_; }
    const Seq2Seq& model() const { return model_; }

  private:
    ModelDescription description_;
    Normaliser normalise_;
    Seq2Seq model_;
};

/// Texts in translation, one target step of all texts at a time, so that the caller can stop in between.
class TranslationSearch {
  public:
    /// `translator` and `executor` outlive it. Throws UsageError for options that make no sense.
    TranslationSearch(const Translator& translator, const std::vector<std::string>& texts, const SearchOptions& options,
                      simd::Executor& executor);

    /// Takes one step. @return whether another is left
    bool advance() { return search_.advance(); }

    /// What was found so far, a translation for every text.
    std::vector<Translation> translations() const;

  private:
    const Translator& translator_;
    std::vector<Translation> prepared_;  ///< without hypotheses where there is something to search
    Search search_;                      ///< of the texts that are not empty, in their order
};

}  // namespace softalign
