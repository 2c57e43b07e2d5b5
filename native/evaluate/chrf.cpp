#include "native/evaluate/chrf.hpp"

#include <algorithm>
#include <unordered_map>

#include "native/evaluate/words.hpp"

namespace softalign::metrics {

namespace {

/// A text without white space, and where its code points begin.
struct Characters {
    explicit Characters(std::string_view original) : text(join(split_words(original), "")) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool continues = (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
            if (!continues) starts.push_back(i);
        }
        starts.push_back(text.size());
    }

    std::unordered_map<std::string_view, std::size_t> count_ngrams(std::size_t n) const {
        std::unordered_map<std::string_view, std::size_t> counts;
        const std::string_view all = text;
        for (std::size_t i = 0; i + n < starts.size(); ++i) ++counts[all.substr(starts[i], starts[i + n] - starts[i])];
        return counts;
    }

    std::string text;
    std::vector<std::size_t> starts;  ///< and one past the end
};

Chrf::CountsByOrder compare(const Characters& hypothesis, const Characters& reference) {
    Chrf::CountsByOrder counts{};
    for (std::size_t n = 1; n <= Chrf::kOrder; ++n) {
        Chrf::Counts& of_order = counts[n - 1];
        const auto in_reference = reference.count_ngrams(n);
        for (const auto& [ngram, count] : in_reference) of_order.reference += count;
        // If the reference is too short for an order, that order says nothing about the hypothesis.
        if (in_reference.empty()) continue;
        for (const auto& [ngram, count] : hypothesis.count_ngrams(n)) {
            of_order.hypothesis += count;
            const auto found = in_reference.find(ngram);
            if (found != in_reference.end()) of_order.matching += std::min(count, found->second);
        }
    }
    return counts;
}

/// F-beta of the precision and the recall averaged over the orders that occur on both sides.
double f_score(const Chrf::CountsByOrder& counts) {
    constexpr double kBetaSquared = 4;
    double precision = 0;
    double recall = 0;
    double orders = 0;
    for (const Chrf::Counts& of_order : counts) {
        if (of_order.hypothesis == 0 || of_order.reference == 0) continue;
        const double matching = static_cast<double>(of_order.matching);
        precision += matching / static_cast<double>(of_order.hypothesis);
        recall += matching / static_cast<double>(of_order.reference);
        ++orders;
    }
    if (precision + recall == 0) return 0;
    precision /= orders;
    recall /= orders;
    return 100 * (1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall);
}

}  // namespace

void Chrf::add(std::string_view hypothesis, const std::vector<std::string>& references) {
    const Characters characters(hypothesis);
    CountsByOrder best{};
    double best_score = -1;
    for (const std::string& reference : references) {
        const CountsByOrder counts = compare(characters, Characters(reference));
        const double score = f_score(counts);
        if (score > best_score) {
            best_score = score;
            best = counts;
        }
    }
    for (std::size_t n = 0; n < kOrder; ++n) {
        counts_[n].hypothesis += best[n].hypothesis;
        counts_[n].reference += best[n].reference;
        counts_[n].matching += best[n].matching;
    }
}

double Chrf::score() const {
    return f_score(counts_);
}

}  // namespace softalign::metrics
