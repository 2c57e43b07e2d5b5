#pragma once

#include <cstddef>

namespace softalign {

/// Bytes of memory that the process uses; 0 if the system does not report them.
std::size_t resident_bytes();

/// Keeps freed memory for the next batch. By default glibc returns every large block to the system, and a training step
/// spends up to half of its time getting and clearing the same pages again.
void keep_freed();

/// Returns freed memory to the system, because it would count as resident, if the C library can (glibc).
void give_back_freed();

/// Restarts the count of peak_resident_bytes(), if the system can (Linux).
void forget_peak();

/// The peak of resident_bytes(); 0 if the system does not report it.
std::size_t peak_resident_bytes();

}  // namespace softalign
