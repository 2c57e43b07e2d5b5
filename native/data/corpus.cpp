#include "native/data/corpus.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/symbols.hpp"
#include "core/text/unicode.hpp"
#include "native/data/normalise.hpp"

namespace softalign {

namespace {

std::string prepared(const std::string& text, const std::string& path, std::size_t line, const char* column) {
    std::string result = prepare_text(text, to_nfc);
    if (result.empty()) {
        throw Error(path + ":" + std::to_string(line) + ": the " + column + " column contains only white space");
    }
    return result;
}

/// FNV-1a.
struct Fnv {
    std::uint64_t value = 0xCBF29CE484222325ULL;
    void add(std::uint64_t next) { value = (value ^ next) * 0x100000001B3ULL; }
};

}  // namespace

PreparedCorpus prepare(const std::vector<SentencePair>& pairs, const std::string& path) {
    PreparedCorpus corpus;
    corpus.sources.reserve(pairs.size());
    corpus.targets.reserve(pairs.size());
    for (const SentencePair& pair : pairs) {
        const std::size_t line = corpus.sources.size() + 1;
        corpus.sources.push_back(prepared(pair.source, path, line, "source"));
        corpus.targets.push_back(prepared(pair.targets.front(), path, line, "target"));
    }
    return corpus;
}

EncodedPair encode(const std::string& source, const std::string& target, const Tokenizer& source_tokenizer,
                   const Tokenizer& target_tokenizer) {
    EncodedPair pair;
    for (const Token& token : source_tokenizer.encode(source)) pair.source.push_back(token.id);
    pair.target.push_back(BOS);
    for (const Token& token : target_tokenizer.encode(target)) pair.target.push_back(token.id);
    pair.target.push_back(EOS);
    return pair;
}

std::vector<EncodedPair> encode(const PreparedCorpus& corpus, const Tokenizer& source, const Tokenizer& target) {
    std::vector<EncodedPair> pairs;
    pairs.reserve(corpus.sources.size());
    for (std::size_t i = 0; i < corpus.sources.size(); ++i) {
        pairs.push_back(encode(corpus.sources[i], corpus.targets[i], source, target));
    }
    return pairs;
}

bool is_longer(const EncodedPair& pair, std::size_t longest) {
    return longest > 0 && std::max(pair.source.size(), pair.target.size() - 1) > longest;
}

std::uint64_t fingerprint(const std::vector<EncodedPair>& pairs) {
    Fnv hash;
    for (const EncodedPair& pair : pairs) {
        for (const int id : pair.source) hash.add(static_cast<std::uint64_t>(id));
        for (const int id : pair.target) hash.add(static_cast<std::uint64_t>(id));
    }
    return hash.value;
}

std::uint64_t fingerprint(const std::vector<std::vector<std::string>>& references) {
    Fnv hash;
    for (const std::vector<std::string>& sentence : references) {
        hash.add(sentence.size());
        for (const std::string& reference : sentence) {
            hash.add(reference.size());
            for (const char c : reference) hash.add(static_cast<unsigned char>(c));
        }
    }
    return hash.value;
}

}  // namespace softalign
