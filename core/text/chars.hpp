#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// A tokenizer whose tokens are single code points, including spaces. `symbols` get the ids from 4 on. Throws
/// FormatError if they do not form a vocabulary.
std::unique_ptr<Tokenizer> make_chars_tokenizer(std::vector<std::string> symbols, bool append_eos);

}  // namespace softalign
