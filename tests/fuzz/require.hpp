#pragma once

#include <cstdlib>

/// What must hold whatever the input: ends the process, which is how libFuzzer learns of a finding.
inline void require(bool holds) {
    if (!holds) std::abort();
}
