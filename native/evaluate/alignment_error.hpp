#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace softalign::metrics {

/// Which source word (first) goes with which target word (second), both from 0.
using Links = std::set<std::pair<std::size_t, std::size_t>>;

/// "0-0 1-2": the notation of the Pharaoh decoder. Throws Error that names what is not a link.
Links parse_links(std::string_view text);
std::string to_pharaoh(const Links& links);

/// The annotation of one sentence pair. Every sure link is also a possible one.
struct GoldAlignment {
    std::vector<std::string> source;  ///< words
    std::vector<std::string> target;  ///< words
    Links sure;
    Links possible_only;
};

/// Lines of source words, target words (separated by spaces), sure links and possible links. Throws Error that names
/// file, line and reason.
std::vector<GoldAlignment> read_gold_alignments(const std::string& path);

/// Alignment error rate of a corpus (Och and Ney 2003): with links A, sure links S and possible links P (S included)
///     AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
/// 0 is perfect.
class AlignmentErrorRate {
  public:
    void add(const Links& links, const GoldAlignment& gold);
    double rate() const;

  private:
    std::size_t sure_and_found_ = 0;
    std::size_t possible_and_found_ = 0;
    std::size_t found_ = 0;
    std::size_t sure_ = 0;
};

}  // namespace softalign::metrics
