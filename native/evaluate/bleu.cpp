#include "native/evaluate/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "native/evaluate/words.hpp"

namespace softalign::metrics {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_stop(char c) {
    return c == '.' || c == ',';
}

/// ASCII punctuation that is always a token: all but the apostrophe, comma, full stop and hyphen.
bool always_stands_alone(char c) {
    return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/// What `re.sub` does with a pattern of two characters: matches are found from left to right and do not overlap.
template <typename Matches, typename Append>
std::string replace_pairs(const std::string& text, const Matches& matches, const Append& append) {
    std::string result;
    result.reserve(text.size() * 2);
    std::size_t i = 0;
    while (i < text.size()) {
        if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
            append(result, text[i], text[i + 1]);
            i += 2;
        } else {
            result += text[i++];
        }
    }
    return result;
}

std::string surround_punctuation(const std::string& text) {
    std::string result;
    result.reserve(text.size() * 2);
    for (const char c : text) {
        if (always_stands_alone(c)) {
            (result += ' ') += c;
            result += ' ';
        } else {
            result += c;
        }
    }
    return result;
}

/// Where each token of a tokenised text begins, and one past the end.
struct TokenStarts {
    explicit TokenStarts(std::string_view tokenized) : text(tokenized) {
        if (text.empty()) return;
        starts.push_back(0);
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == ' ') starts.push_back(i + 1);
        }
    }

    std::size_t size() const { return starts.size(); }

    /// Tokens first … first + n - 1 as one text.
    std::string_view ngram(std::size_t first, std::size_t n) const {
        const std::size_t end = first + n < size() ? starts[first + n] - 1 : text.size();
        return text.substr(starts[first], end - starts[first]);
    }

    std::string_view text;
    std::vector<std::size_t> starts;
};

/// n-grams of one order; the order need not be part of the key, as every n-gram of another order has other spaces.
using Counts = std::unordered_map<std::string_view, std::size_t>;

Counts count_ngrams(const TokenStarts& tokens, std::size_t n) {
    Counts counts;
    for (std::size_t i = 0; i + n <= tokens.size(); ++i) ++counts[tokens.ngram(i, n)];
    return counts;
}

std::size_t closest_length(std::size_t length, const std::vector<TokenStarts>& references) {
    const auto distance = [&](std::size_t other) { return other > length ? other - length : length - other; };
    std::size_t closest = references.front().size();
    for (const TokenStarts& reference : references) {
        const std::size_t candidate = reference.size();
        if (distance(candidate) < distance(closest) ||
            (distance(candidate) == distance(closest) && candidate < closest)) {
            closest = candidate;
        }
    }
    return closest;
}

}  // namespace

std::string tokenize_13a(std::string_view text) {
    std::string line = " " + std::string(text) + " ";
    replace_all(line, "<skipped>", "");
    replace_all(line, "&quot;", "\"");
    replace_all(line, "&amp;", "&");
    replace_all(line, "&lt;", "<");
    replace_all(line, "&gt;", ">");

    line = surround_punctuation(line);
    line = replace_pairs(
        line, [](char a, char b) { return !is_digit(a) && is_stop(b); },
        [](std::string& out, char a, char b) { ((((out += a) += ' ') += b) += ' '); });
    line = replace_pairs(
        line, [](char a, char b) { return is_stop(a) && !is_digit(b); },
        [](std::string& out, char a, char b) { ((((out += ' ') += a) += ' ') += b); });
    line = replace_pairs(
        line, [](char a, char b) { return is_digit(a) && b == '-'; },
        [](std::string& out, char a, char b) { ((((out += a) += ' ') += b) += ' '); });
    return join(split_words(line), " ");
}

void Bleu::add(std::string_view hypothesis, const std::vector<std::string>& references) {
    const std::string hypothesis_text = tokenize_13a(hypothesis);
    const TokenStarts tokens(hypothesis_text);
    std::vector<std::string> reference_texts;
    for (const std::string& reference : references) reference_texts.push_back(tokenize_13a(reference));
    const std::vector<TokenStarts> reference_tokens(reference_texts.begin(), reference_texts.end());

    hypothesis_length_ += tokens.size();
    reference_length_ += closest_length(tokens.size(), reference_tokens);
    for (std::size_t n = 1; n <= kOrder; ++n) {
        Counts most;  // count of each n-gram in the reference that has it most often
        for (const TokenStarts& reference : reference_tokens) {
            for (const auto& [ngram, count] : count_ngrams(reference, n)) most[ngram] = std::max(most[ngram], count);
        }
        for (const auto& [ngram, count] : count_ngrams(tokens, n)) {
            total_[n - 1] += count;
            const auto found = most.find(ngram);
            if (found != most.end()) correct_[n - 1] += std::min(count, found->second);
        }
    }
}

double Bleu::score() const {
    if (std::all_of(correct_.begin(), correct_.end(), [](std::size_t c) { return c == 0; })) return 0;
    double log_precisions = 0;
    double smoothing = 1;
    for (std::size_t n = 0; n < kOrder; ++n) {
        if (total_[n] == 0) return 0;
        // An order without any match counts as 1/2, 1/4, … of a match.
        double matches = static_cast<double>(correct_[n]);
        if (correct_[n] == 0) matches = 1 / (smoothing *= 2);
        log_precisions += std::log(100 * matches / static_cast<double>(total_[n]));
    }
    const double ratio = static_cast<double>(reference_length_) / static_cast<double>(hypothesis_length_);
    const double brevity_penalty = ratio > 1 ? std::exp(1 - ratio) : 1;
    return brevity_penalty * std::exp(log_precisions / static_cast<double>(kOrder));
}

}  // namespace softalign::metrics
