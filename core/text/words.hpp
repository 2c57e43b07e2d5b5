#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// A tokenizer that splits text at spaces. `symbols` get the ids from 4 on. Throws FormatError if they do not form a
/// vocabulary.
std::unique_ptr<Tokenizer> make_words_tokenizer(std::vector<std::string> symbols, bool append_eos);

}  // namespace softalign
