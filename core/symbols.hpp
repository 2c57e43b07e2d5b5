#pragma once

namespace softalign {

/// Symbols that every vocabulary starts with.
enum Symbol : int { PAD = 0, BOS = 1, EOS = 2, UNK = 3 };
constexpr int kSymbols = 4;

}  // namespace softalign
