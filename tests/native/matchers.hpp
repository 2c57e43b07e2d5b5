#pragma once

#include <string>

#include "tests/catch.hpp"

namespace softalign::testing {

// Catch2 3 gave one of them another name.
#if __has_include(<catch2/catch_all.hpp>)
inline auto contains(const std::string& part) {
    return Catch::Matchers::ContainsSubstring(part);
}
#else
inline auto contains(const std::string& part) {
    return Catch::Matchers::Contains(part);
}
#endif
inline auto starts_with(const std::string& part) {
    return Catch::Matchers::StartsWith(part);
}

}  // namespace softalign::testing
