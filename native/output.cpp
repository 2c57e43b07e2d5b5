#include "native/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace softalign {

namespace {

[[noreturn]] void fail() {
    if (errno == EPIPE) throw BrokenPipe();
    throw Error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

}  // namespace

void write_output(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void flush_output() {
    if (std::fflush(stdout) != 0) fail();
}

}  // namespace softalign
