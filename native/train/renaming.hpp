#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "core/nn/random.hpp"

namespace softalign {

/// Gives pairs other names, so that a model learns to copy a name it has never seen instead of learning a few by heart.
///
/// A name is a capitalised word, such as "Tom", that stands in both sentences of a pair and that no source text has in
/// small letters. A new one is made up of the beginnings and ends of two of the source texts' words: any letters at all
/// may come.
class Renaming {
  public:
    /// @param sources prepared texts (NFC, single spaces)
    explicit Renaming(const std::vector<std::string>& sources);

    /// Replaces every name of a pair, in both sentences, by a new one. False where the pair has none.
    /// @param random, position the random numbers: from `position` on, four for every name
    bool apply(std::string& source, std::string& target, const RandomStream& random, std::uint64_t position) const;

  private:
    std::string new_name(const RandomStream& random, std::uint64_t position) const;

    std::unordered_set<std::string> small_;  ///< all words in small letters
    std::vector<std::string> parts_;         ///< those that names are made of, in order of appearance
};

}  // namespace softalign
