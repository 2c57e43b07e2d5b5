#pragma once

#include <string>
#include <vector>

namespace softalign {

/// Lines of standard input, whatever bytes they hold.
class LineInput {
  public:
    /// Waits for a line, then takes those that are there already: up to `most`, fewer where the writer is slower than
    /// the reader. Empty at the end of the input. Line breaks (also CRLF) are removed; what stands after the last one
    /// is a line too. Throws Error when reading fails.
    std::vector<std::string> next(std::size_t most);

  private:
    bool take_line(std::string& line);
    void fill();

    std::string buffer_;
    std::size_t position_ = 0;
    std::size_t searched_ = 0;  ///< no line break before this place
    bool ended_ = false;
};

}  // namespace softalign
