#pragma once

#include <exception>
#include <string_view>

namespace softalign {

/// Nobody reads standard output any more: the command ends without a word, as its neighbour in the pipe has all it
/// wants.
class BrokenPipe : public std::exception {
  public:
    const char* what() const noexcept override { return "standard output was closed"; }
};

/// Results go to standard output through these two: as they are, but on a terminal printable (printable.hpp). They
/// throw BrokenPipe, or Error where a write fails otherwise. SIGPIPE must be ignored.
void write_output(std::string_view text);
void flush_output();

/// Tells the person at the terminal, on standard error, in printable text. That nobody can read it (a full disk under a
/// log, a closed descriptor) is no reason to lose a training, so a failed write is not an error.
void write_message(std::string_view text) noexcept;
/// The same with commands for the terminal, and at once. @param text printable but for those
void draw_message(std::string_view text) noexcept;

/// A standard stream that the caller closed becomes one whose use fails, so that the next file to be opened does not
/// take its number and get messages written into it. To be called before any file is opened.
void occupy_closed_streams();

}  // namespace softalign
