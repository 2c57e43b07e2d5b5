#include "native/evaluate/text_units.hpp"

#include <algorithm>

#include "core/json.hpp"

namespace softalign {

namespace {

TextUnit unit_of_one(const Token& token, std::size_t index) {
    return {token.special || token.text != " " ? token.text : "␣", {index}, token.special};
}

}  // namespace

std::vector<TextUnit> units_of(std::string_view text, const std::vector<Token>& tokens, Grouping grouping) {
    std::vector<TextUnit> units;
    std::size_t end_of_word = 0;
    bool in_word = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (grouping == Grouping::tokens || token.special) {
            units.push_back(unit_of_one(token, i));
            in_word = false;
            continue;
        }
        if (token.text == " ") continue;  // of a tokenizer of characters: it belongs to no word
        if (!in_word || token.begin >= end_of_word) {
            // A piece that is nothing but the mark of a word's beginning stands right before the word.
            const std::size_t begin = std::min(text.find_first_not_of(' ', token.begin), text.size());
            end_of_word = std::min(text.find(' ', begin), text.size());
            units.push_back({std::string(text.substr(begin, end_of_word - begin)), {}, false});
            in_word = true;
        }
        units.back().tokens.push_back(i);
    }
    return units;
}

Grouping natural_grouping(const Tokenizer& tokenizer) {
    const auto description = parse_json(tokenizer.to_json(), "tokenizer");
    return description.at("kind") == "chars" ? Grouping::tokens : Grouping::words;
}

Matrix join_alignment(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                      const Matrix& alignment) {
    Matrix joined = zeros(target.size(), source.size());
    for (std::size_t t = 0; t < target.size(); ++t) {
        const float share = 1.0F / static_cast<float>(target[t].tokens.size());
        for (const std::size_t target_token : target[t].tokens) {
            for (std::size_t s = 0; s < source.size(); ++s) {
                for (const std::size_t source_token : source[s].tokens) {
                    joined(t, s) += share * alignment(target_token, source_token);
                }
            }
        }
    }
    return joined;
}

metrics::Links strongest_links(const std::vector<TextUnit>& source, const std::vector<TextUnit>& target,
                               const Matrix& alignment) {
    const Matrix joined = join_alignment(source, target, alignment);
    metrics::Links links;
    for (std::size_t t = 0; t < target.size(); ++t) {
        if (target[t].special || source.empty()) continue;
        const float* weights = row(joined, t);
        const auto strongest = static_cast<std::size_t>(std::max_element(weights, weights + source.size()) - weights);
        if (!source[strongest].special) links.emplace(strongest, t);
    }
    return links;
}

}  // namespace softalign
