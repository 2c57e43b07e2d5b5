#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace softalign::metrics {

/// The words between white space, which is defined as in Python's `str.split()`, because the reference implementations
/// of BLEU and chrF call that, and French text is full of no-break spaces. The views point into `text`.
std::vector<std::string_view> split_words(std::string_view text);

/// The words of a text with `separator` between them.
std::string join(const std::vector<std::string_view>& words, std::string_view separator);

}  // namespace softalign::metrics
