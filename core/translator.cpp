#include "core/translator.hpp"

namespace softalign {

namespace {

std::vector<Translation> prepare(const Translator& translator, const std::vector<std::string>& texts) {
    std::vector<Translation> prepared;
    for (const std::string& text : texts) prepared.push_back(translator.prepare(text));
    return prepared;
}

/// Of the texts that are not empty.
std::vector<std::vector<int>> sources(const std::vector<Translation>& prepared) {
    std::vector<std::vector<int>> result;
    for (const Translation& translation : prepared) {
        if (translation.input.empty()) continue;
        result.emplace_back();
        for (const Token& token : translation.source) result.back().push_back(token.id);
    }
    return result;
}

}  // namespace

Translator::Translator(StoredModel model, Normaliser normaliser)
    : description_(std::move(model.description)),
      normalise_(std::move(normaliser)),
      model_(description_.configuration, model.parameters) {}

Translation Translator::translate(std::string_view text, const SearchOptions& options, simd::Executor& executor) const {
    return std::move(translate(std::vector<std::string>{std::string(text)}, options, executor).front());
}

std::vector<Translation> Translator::translate(const std::vector<std::string>& texts, const SearchOptions& options,
                                               simd::Executor& executor) const {
    TranslationSearch search(*this, texts, options, executor);
    while (search.advance()) {
    }
    return search.translations();
}

Translation Translator::prepare(std::string_view text) const {
    Translation prepared;
    prepared.input = prepare_text(text, normalise_);
    if (!prepared.input.empty()) prepared.source = description_.source_tokenizer->encode(prepared.input);
    return prepared;
}

std::vector<int> Translator::target_ids(std::string_view text) const {
    std::vector<int> ids;
    for (const Token& token : description_.target_tokenizer->encode(prepare_text(text, normalise_))) {
        if (!token.special) ids.push_back(token.id);
    }
    return ids;
}

TranslationSearch::TranslationSearch(const Translator& translator, const std::vector<std::string>& texts,
                                     const SearchOptions& options, simd::Executor& executor)
    : translator_(translator),
      prepared_(prepare(translator, texts)),
      search_(translator.model(), executor, sources(prepared_), options) {}

std::vector<Translation> TranslationSearch::translations() const {
    const std::vector<std::vector<Hypothesis>> found = search_.hypotheses();
    std::vector<std::vector<SearchNode>> trees = search_.trees();
    std::vector<Translation> result = prepared_;
    std::size_t searched = 0;
    for (Translation& translation : result) {
        if (translation.input.empty()) {
            translation.hypotheses.emplace_back();
            continue;
        }
        translation.tree = std::move(trees[searched]);
        for (const Hypothesis& hypothesis : found[searched]) {
            DecodedText decoded = translator_.description().target_tokenizer->decode(hypothesis.ids);
            translation.hypotheses.push_back({std::move(decoded.text), std::move(decoded.tokens), hypothesis});
        }
        ++searched;
    }
    return result;
}

}  // namespace softalign
