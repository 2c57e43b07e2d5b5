#include "native/evaluate/alignment_error.hpp"

#include <charconv>

#include "core/error.hpp"
#include "native/data/tsv.hpp"
#include "native/evaluate/words.hpp"

namespace softalign::metrics {

namespace {

std::pair<std::size_t, std::size_t> parse_link(std::string_view text) {
    std::pair<std::size_t, std::size_t> link;
    const char* end = text.data() + text.size();
    const auto source = std::from_chars(text.data(), end, link.first);
    if (source.ec == std::errc() && source.ptr != end && *source.ptr == '-') {
        const auto target = std::from_chars(source.ptr + 1, end, link.second);
        if (target.ec == std::errc() && target.ptr == end) return link;
    }
    throw Error("'" + std::string(text) + "' is not a link such as 0-2");
}

std::vector<std::string> to_strings(const std::vector<std::string_view>& words) {
    return {words.begin(), words.end()};
}

void check_range(const Links& links, const GoldAlignment& gold) {
    for (const auto& [source, target] : links) {
        if (source >= gold.source.size() || target >= gold.target.size()) {
            throw Error("link " + std::to_string(source) + "-" + std::to_string(target) + " points past the end of " +
                        std::to_string(gold.source.size()) + " source and " + std::to_string(gold.target.size()) +
                        " target words");
        }
    }
}

}  // namespace

Links parse_links(std::string_view text) {
    Links links;
    for (const std::string_view word : split_words(text)) links.insert(parse_link(word));
    return links;
}

std::string to_pharaoh(const Links& links) {
    std::string text;
    for (const auto& [source, target] : links) {
        if (!text.empty()) text += ' ';
        text += std::to_string(source) + "-" + std::to_string(target);
    }
    return text;
}

std::vector<GoldAlignment> read_gold_alignments(const std::string& path) {
    std::vector<GoldAlignment> alignments;
    for (const Columns& columns : read_table(path, 4, "source<TAB>target<TAB>sure links<TAB>possible links")) {
        try {
            GoldAlignment gold{to_strings(split_words(columns[0])), to_strings(split_words(columns[1])),
                               parse_links(columns[2]), parse_links(columns[3])};
            check_range(gold.sure, gold);
            check_range(gold.possible_only, gold);
            alignments.push_back(std::move(gold));
        } catch (const Error& error) {
            throw Error(path + ":" + std::to_string(alignments.size() + 1) + ": " + error.what());
        }
    }
    return alignments;
}

void AlignmentErrorRate::add(const Links& links, const GoldAlignment& gold) {
    for (const auto& link : links) {
        const bool sure = gold.sure.count(link) > 0;
        sure_and_found_ += sure;
        possible_and_found_ += sure || gold.possible_only.count(link) > 0;
    }
    found_ += links.size();
    sure_ += gold.sure.size();
}

double AlignmentErrorRate::rate() const {
    if (found_ + sure_ == 0) return 0;
    return 1 - static_cast<double>(sure_and_found_ + possible_and_found_) / static_cast<double>(found_ + sure_);
}

}  // namespace softalign::metrics
