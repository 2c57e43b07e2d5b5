#pragma once

#include <exception>
#include <string_view>

namespace softalign {

/// The reader of standard output has gone, because it has all it wants. The command ends silently.
class BrokenPipe : public std::exception {
  public:
    const char* what() const noexcept override { return "standard output was closed"; }
};

/// These two write results to standard output, unchanged, or made printable (printable.hpp) on a terminal. They throw
/// BrokenPipe, or Error if a write fails otherwise. SIGPIPE must be ignored.
void write_output(std::string_view text);
void flush_output();

/// Writes printable text to standard error, for the person at the terminal. A failed write (a log on a full disk, a
/// closed descriptor) is ignored: it is no reason to lose a training run.
void write_message(std::string_view text) noexcept;
/// The same, unbuffered and with commands for the terminal. @param text printable except for those
void draw_message(std::string_view text) noexcept;

/// Makes the use of standard streams that the caller closed fail. Otherwise the next file opened would get their
/// number, and messages would be written into it. Call it before any file is opened.
void occupy_closed_streams();

}  // namespace softalign
