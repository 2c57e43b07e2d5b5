#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "native/data/tsv.hpp"

namespace softalign {

/// Parallel text as people collect it, which may have lines without a translation.
struct CollectedText {
    std::vector<SentencePair> pairs;   ///< prepared (NFC, single spaces), in the file's order
    std::vector<std::size_t> skipped;  ///< numbers, from 1, of lines that lack a source or a target
    std::size_t attributions = 0;      ///< columns that name a sentence's authors
};

/// source<TAB>target[<TAB>further targets]. A further column that begins with "CC-BY" is not a target but an
/// attribution, as in files from manythings.org. Throws Error as read_table does, and if no pair is left.
CollectedText read_collected(const std::string& path);

/// Sentences with all their translations, without repetitions, divided so that no source is in two parts, nor are two
/// that differ only in case, spaces, punctuation and symbols.
struct TextParts {
    std::vector<SentencePair> training;
    std::vector<SentencePair> validation;
    std::vector<SentencePair> test;
    std::size_t repeated = 0;  ///< repeated translations
};

/// How many sentences two of the parts have.
struct PartSizes {
    std::size_t validation = 0;
    std::size_t test = 0;
};

/// A function of its arguments alone; each part keeps the order of the pairs. Throws UsageError if fewer sentences
/// would be left for training than for the other parts.
TextParts split(const std::vector<SentencePair>& pairs, const PartSizes& sizes, std::uint64_t seed);

}  // namespace softalign
