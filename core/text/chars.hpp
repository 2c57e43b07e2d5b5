#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

/// A tokenizer whose tokens are single code points, spaces among them. `symbols` get the ids from 4 on. Throws
/// FormatError when they make no vocabulary.
std::unique_ptr<Tokenizer> make_chars_tokenizer(std::vector<std::string> symbols, bool append_eos);

}  // namespace softalign
