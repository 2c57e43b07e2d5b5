#include "native/data/tokenizers.hpp"

#include "core/text/bpe.hpp"
#include "core/text/vocabulary.hpp"
#include "native/data/bpe_trainer.hpp"

namespace softalign {

namespace {

std::shared_ptr<const Tokenizer> build(TokenizerKind kind, std::size_t size, const TokenizersRecipe& recipe,
                                       const std::vector<std::string>& texts, bool append_eos) {
    const VocabularyOptions options{recipe.minimum_count, size, append_eos};
    switch (kind) {
        case TokenizerKind::chars:
            return build_chars_tokenizer(texts, options);
        case TokenizerKind::words:
            return build_words_tokenizer(texts, options);
        case TokenizerKind::bpe:
            break;
    }
    return make_bpe_tokenizer(learn_bpe(texts, size), append_eos);
}

}  // namespace

Tokenizers build_tokenizers(const TokenizersRecipe& recipe, const PreparedCorpus& corpus) {
    if (!recipe.joint) {
        return {build(recipe.source, recipe.source_size, recipe, corpus.sources, recipe.append_eos),
                build(recipe.target, recipe.target_size, recipe, corpus.targets, false)};
    }
    std::vector<std::string> texts = corpus.sources;
    texts.insert(texts.end(), corpus.targets.begin(), corpus.targets.end());
    const auto target = build(recipe.target, recipe.target_size, recipe, texts, false);
    if (!recipe.append_eos) return {target, target};
    return {build(recipe.source, recipe.source_size, recipe, texts, true), target};
}

}  // namespace softalign
