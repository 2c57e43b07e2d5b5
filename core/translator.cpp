#include "core/translator.hpp"

namespace softalign {

Translator::Translator(StoredModel model, Normaliser normaliser)
    : description_(std::move(model.description)),
      normalise_(std::move(normaliser)),
      model_(description_.configuration, model.parameters) {}

Translation Translator::translate(std::string_view text, const SearchOptions& options, simd::Executor& executor) const {
    return std::move(translate(std::vector<std::string>{std::string(text)}, options, executor).front());
}

std::vector<Translation> Translator::translate(const std::vector<std::string>& texts, const SearchOptions& options,
                                               simd::Executor& executor) const {
    std::vector<Translation> result(texts.size());
    std::vector<std::vector<int>> sources;
    std::vector<std::size_t> text_of_source;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        result[i].input = prepare_text(texts[i], normalise_);
        if (result[i].input.empty()) {
            result[i].hypotheses.emplace_back();
            continue;
        }
        result[i].source = description_.source_tokenizer->encode(result[i].input);
        std::vector<int> ids;
        for (const Token& token : result[i].source) ids.push_back(token.id);
        sources.push_back(std::move(ids));
        text_of_source.push_back(i);
    }
    Search search(model_, executor, sources, options);
    while (search.advance()) {
    }
    const std::vector<std::vector<Hypothesis>> found = search.hypotheses();
    std::vector<std::vector<SearchNode>> trees = search.trees();
    for (std::size_t s = 0; s < found.size(); ++s) {
        result[text_of_source[s]].tree = std::move(trees[s]);
        for (const Hypothesis& hypothesis : found[s]) {
            DecodedText decoded = description_.target_tokenizer->decode(hypothesis.ids);
            result[text_of_source[s]].hypotheses.push_back(
                {std::move(decoded.text), std::move(decoded.tokens), hypothesis});
        }
    }
    return result;
}

std::vector<int> Translator::target_ids(std::string_view text) const {
    std::vector<int> ids;
    for (const Token& token : description_.target_tokenizer->encode(prepare_text(text, normalise_))) {
        if (!token.special) ids.push_back(token.id);
    }
    return ids;
}

}  // namespace softalign
