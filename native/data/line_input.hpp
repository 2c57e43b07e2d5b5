#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign {

/// Bytes of the longest line that is read: a gzip of a megabyte can hold one of a gigabyte.
constexpr std::size_t kLongestLine = std::size_t{1} << 24U;

/// The complaint about a longer one.
std::string too_long();

/// Lines of standard input, whatever bytes they hold.
class LineInput {
  public:
    /// Waits for a line, then takes all that have arrived, up to `most`. Empty at the end of the input. Line breaks
    /// (also CRLF) are removed; text after the last one is a line too. If there is no LF at all, CR alone ends a line.
    /// Throws Error if reading fails or a line is longer than kLongestLine.
    std::vector<std::string> next(std::size_t most);

  private:
    bool take_line(std::string& line);
    void fill();

    std::string buffer_;
    std::size_t position_ = 0;
    std::size_t searched_ = 0;  ///< no line break before this place
    bool ended_ = false;
    char line_break_ = '\n';
    std::size_t taken_ = 0;  ///< lines
};

}  // namespace softalign
