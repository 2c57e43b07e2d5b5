#pragma once

#include <cstddef>

namespace softalign {

/// Bytes of memory that the process has now; 0 where the system does not say.
std::size_t resident_bytes();

/// From now on memory that was freed is kept for the next batch: by default glibc returns every large block to the
/// system, and a training step spends up to half of its time on getting, and clearing, the same pages again.
void keep_freed();

/// Gives memory that was freed back to the system, which would count as resident: where the C library can (glibc).
void give_back_freed();

/// From now on peak_resident_bytes() is the peak of what follows, where the system can (Linux).
void forget_peak();

/// The most that resident_bytes() has been; 0 where the system does not say.
std::size_t peak_resident_bytes();

}  // namespace softalign
