#include "native/say/output.hpp"

#include <fcntl.h>
#include <unistd.h>

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

void write_message(std::string_view text) noexcept {
    [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

void occupy_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // The wrong direction: what reads or writes the stream is told so, instead of finding nothing or writing
        // into nothing. As all lower numbers are taken, the new descriptor is the stream's.
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

}  // namespace softalign
