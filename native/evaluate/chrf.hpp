#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::metrics {

/// chrF2 of a corpus (Popović 2015), equal to sacreBLEU's default: character n-grams up to 6, beta 2, no word n-grams,
/// white space removed. Counts are summed over the sentences, each against the reference that gives it the best score.
class Chrf {
  public:
    static constexpr std::size_t kOrder = 6;  ///< longest n-gram, in code points

    /// How many n-grams of one order there are.
    struct Counts {
        std::size_t hypothesis = 0;
        std::size_t reference = 0;
        std::size_t matching = 0;
    };
    using CountsByOrder = std::array<Counts, kOrder>;

    /// Both are valid UTF-8; there is at least one reference.
    void add(std::string_view hypothesis, const std::vector<std::string>& references);

    /// 0 … 100
    double score() const;

  private:
    CountsByOrder counts_{};
};

}  // namespace softalign::metrics
