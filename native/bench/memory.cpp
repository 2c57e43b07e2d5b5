#include "native/bench/memory.hpp"

#include <fstream>
#include <string>

namespace softalign::bench {

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

void forget_peak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::size_t peak_resident_bytes() {
    return status_bytes("VmHWM:");
}

}  // namespace softalign::bench
