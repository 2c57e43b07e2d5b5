#pragma once

#include <vector>

#include "core/text/tokenizer.hpp"

namespace softalign {

inline std::vector<int> ids_of(const std::vector<Token>& tokens) {
    std::vector<int> ids;
    for (const Token& token : tokens) ids.push_back(token.id);
    return ids;
}

}  // namespace softalign
