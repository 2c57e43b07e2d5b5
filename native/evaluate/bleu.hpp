#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::metrics {

/// BLEU of a corpus (Papineni et al. 2002), equal to sacreBLEU (Post 2018) with its default signature
///     case:mixed | eff:no | tok:13a | smooth:exp
/// Counts are summed over the sentences before anything is divided; a sentence has one or more references.
class Bleu {
  public:
    static constexpr std::size_t kOrder = 4;  ///< longest n-gram

    void add(std::string_view hypothesis, const std::vector<std::string>& references);

    /// 0 … 100
    double score() const;

  private:
    std::array<std::size_t, kOrder> correct_{};  ///< n-grams that occur in a reference, clipped
    std::array<std::size_t, kOrder> total_{};    ///< n-grams of the hypotheses
    std::size_t hypothesis_length_ = 0;
    std::size_t reference_length_ = 0;  ///< of the reference closest in length
};

/// The tokenisation of mteval-v13a of one line: tokens with one space between them.
std::string tokenize_13a(std::string_view text);

}  // namespace softalign::metrics
