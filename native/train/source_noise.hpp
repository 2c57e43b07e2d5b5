#pragma once

#include <string>

#include "core/nn/random.hpp"

namespace softalign {

/// A source sentence as a visitor might type it, disturbed in one of four ways, each as likely: all in capitals, all in
/// small letters, without the punctuation at its end, with one typing mistake (two letters swapped, one left out, one
/// doubled, one replaced by another of the sentence). The sentence as it is where its way changes nothing.
/// @param text prepared (NFC, single spaces); so is the result
/// @param random, position the random numbers: `position` to `position` + 3 are used
std::string disturb_source(const std::string& text, const RandomStream& random, std::uint64_t position);

}  // namespace softalign
