#include "native/data/tokenizers.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/symbols.hpp"
#include "core/text/bpe.hpp"
#include "core/text/vocabulary.hpp"
#include "native/data/bpe_trainer.hpp"

namespace softalign {

namespace {

/// The vocabulary of one side, or of both.
struct Side {
    const char* name;
    const char* flag;  ///< that sets its size
    TokenizerKind kind;
    std::size_t size;
    bool append_eos;
    const std::vector<std::string>& texts;
};

std::shared_ptr<const Tokenizer> learn(const Side& side, std::size_t minimum_count) {
    const VocabularyOptions options{minimum_count, side.size, side.append_eos};
    switch (side.kind) {
        case TokenizerKind::chars:
            return build_chars_tokenizer(side.texts, options);
        case TokenizerKind::words:
            return build_words_tokenizer(side.texts, options);
        case TokenizerKind::bpe:
            break;
    }
    return make_bpe_tokenizer(learn_bpe(side.texts, side.size), side.append_eos);
}

/// @param complaints problems are appended, and then nothing is returned
std::shared_ptr<const Tokenizer> build(const Side& side, std::size_t minimum_count, std::string& complaints) {
    const auto complain = [&](const std::string& reason) {
        complaints += fmt::format("{}{} ({}): {}", complaints.empty() ? "" : "; ", side.name, side.flag, reason);
    };
    try {
        auto tokenizer = learn(side, minimum_count);
        if (tokenizer->vocabulary_size() > kSymbols) return tokenizer;
        complain(
            fmt::format("no symbol is left that occurs {} times or more (--minimum-count), with at most {} symbols",
                        minimum_count, side.size));
    } catch (const UsageError& error) {
        complain(error.what());
    }
    return nullptr;
}

}  // namespace

Tokenizers build_tokenizers(const TokenizersRecipe& recipe, const PreparedCorpus& corpus) {
    Tokenizers result;
    std::string complaints;
    if (recipe.joint) {
        std::vector<std::string> texts = corpus.sources;
        texts.insert(texts.end(), corpus.targets.begin(), corpus.targets.end());
        Side both{"both sides", "--source-size and --target-size", recipe.target, recipe.target_size, false, texts};
        result.source = result.target = build(both, recipe.minimum_count, complaints);
        both.append_eos = true;
        if (recipe.append_eos && result.target) result.source = build(both, recipe.minimum_count, complaints);
    } else {
        result.source =
            build({"source", "--source-size", recipe.source, recipe.source_size, recipe.append_eos, corpus.sources},
                  recipe.minimum_count, complaints);
        result.target = build({"target", "--target-size", recipe.target, recipe.target_size, false, corpus.targets},
                              recipe.minimum_count, complaints);
    }
    if (!complaints.empty()) throw UsageError("the vocabulary cannot be made. " + complaints);
    return result;
}

}  // namespace softalign
