#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"
#include "native/data/tsv.hpp"

namespace softalign {

/// A pair as the model reads it.
struct EncodedPair {
    std::vector<int> source;  ///< without BOS
    std::vector<int> target;  ///< BOS … EOS
};

/// Parallel text with its sentences prepared for the tokenizers (NFC, single spaces). Only the first target is
/// prepared: references stay as the file has them.
struct PreparedCorpus {
    std::vector<std::string> sources;
    std::vector<std::string> targets;
};

/// Throws Error that names file and line if nothing is left of a text. @param path for that message
PreparedCorpus prepare(const std::vector<SentencePair>& pairs, const std::string& path);

EncodedPair encode(const std::string& source, const std::string& target, const Tokenizer& source_tokenizer,
                   const Tokenizer& target_tokenizer);
std::vector<EncodedPair> encode(const PreparedCorpus& corpus, const Tokenizer& source, const Tokenizer& target);

/// Whether either side has more than `longest` symbols that the model would read or write; 0: never.
bool is_longer(const EncodedPair& pair, std::size_t longest);

/// A number that shows whether two runs have the same data (FNV-1a).
std::uint64_t fingerprint(const std::vector<EncodedPair>& pairs);
/// The same for references, several per sentence.
std::uint64_t fingerprint(const std::vector<std::vector<std::string>>& references);

}  // namespace softalign
