#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "core/nn/random.hpp"

namespace softalign {

/// Replaces the names in pairs, so that a model learns to copy names it has never seen instead of memorising a few.
///
/// A name is a capitalised word, such as "Tom", that occurs in both sentences of a pair and in no source text in lower
/// case. A new one is made from the beginning and the end of two words of the source texts, so any letters may occur.
class Renaming {
  public:
    /// @param sources prepared texts (NFC, single spaces)
    explicit Renaming(const std::vector<std::string>& sources);

    /// Replaces every name of a pair, in both sentences. Returns false if the pair has none.
    /// @param random, position the random numbers: from `position` on, four for each name
    bool apply(std::string& source, std::string& target, const RandomStream& random, std::uint64_t position) const;

  private:
    std::string new_name(const RandomStream& random, std::uint64_t position) const;

    std::unordered_set<std::string> small_;  ///< all words in lower case
    std::vector<std::string> parts_;         ///< those that names are made of, in order of appearance
};

}  // namespace softalign
