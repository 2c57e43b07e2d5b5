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

/// Results go to standard output through these two. They throw BrokenPipe, or Error where a write fails otherwise.
/// SIGPIPE must be ignored.
void write_output(std::string_view text);
void flush_output();

}  // namespace softalign
