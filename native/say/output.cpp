#include "native/say/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "core/error.hpp"
#include "native/say/printable.hpp"
#include "native/say/terminal.hpp"

namespace softalign {

namespace {

[[noreturn]] void fail() {
    if (errno == EPIPE) throw BrokenPipe();
    throw Error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

}  // namespace

void write_output(std::string_view text) {
    static const bool watched = terminal::is_terminal(STDOUT_FILENO);
    const std::string shown = watched ? printable_lines(text) : std::string();
    if (watched) text = shown;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void flush_output() {
    if (std::fflush(stdout) != 0) fail();
}

void write_message(std::string_view text) noexcept {
    try {
        const std::string shown = printable_lines(text);
        [[maybe_unused]] const std::size_t written = std::fwrite(shown.data(), 1, shown.size(), stderr);
    } catch (const std::bad_alloc&) {
        // No memory for the message either.
    }
}

void draw_message(std::string_view text) noexcept {
    [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void occupy_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // Opened in the wrong direction, so that reading or writing the stream fails instead of finding or doing
        // nothing. As all lower numbers are taken, the new descriptor is the stream's.
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

}  // namespace softalign
