#pragma once

#include <string>

#include "core/nn/random.hpp"

namespace softalign {

/// A source sentence as a visitor might type it, disturbed in one of four equally likely ways: all upper case, all
/// lower case, without the punctuation at its end, or with one typing mistake (two letters swapped, one left out, one
/// doubled, or one replaced by another letter of the sentence). The sentence stays as it is if that way changes
/// nothing.
/// @param text prepared (NFC, single spaces); so is the result
/// @param random, position the random numbers: `position` to `position` + 3 are used
std::string disturb_source(const std::string& text, const RandomStream& random, std::uint64_t position);

}  // namespace softalign
