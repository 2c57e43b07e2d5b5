#include "native/system/memory.hpp"

#include <cstdlib>  // defines __GLIBC__
#include <fstream>
#include <limits>
#include <string>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace softalign {

namespace {

/// A line of /proc/self/status, as "VmRSS:     1234 kB".
std::size_t status_bytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string key; status >> key; status.ignore(1'000, '\n')) {
        std::size_t kilobytes = 0;
        if (key == name && status >> kilobytes) return 1024 * kilobytes;
    }
    return 0;
}

}  // namespace

std::size_t resident_bytes() {
    return status_bytes("VmRSS:");
}

void keep_freed() {
#if defined(__GLIBC__)
    constexpr int greatest_threshold = 32 << 20;  // glibc refuses more
    mallopt(M_MMAP_THRESHOLD, greatest_threshold);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

void give_back_freed() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

void forget_peak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::size_t peak_resident_bytes() {
    return status_bytes("VmHWM:");
}

}  // namespace softalign
