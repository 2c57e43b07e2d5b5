#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace softalign {

/// Reports long work on standard error: a bar on a terminal, or a line now and then in a file or pipe.
class Progress {
  public:
    /// @param total amount of work   @param done part of it that an earlier run did
    Progress(const std::string& label, std::uint64_t total, std::uint64_t done = 0);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Cheap enough to be called for every step. @param note such as "1234 tokens/s", printable
    void update(std::uint64_t done, const std::string& note = "");

    /// A line of its own, above the bar.
    void say(const std::string& line);

  private:
    using Clock = std::chrono::steady_clock;

    std::string status(std::uint64_t done, const std::string& note) const;
    void erase_bar();

    std::string label_;
    std::uint64_t total_;
    std::uint64_t first_;
    bool bar_;
    bool bar_drawn_ = false;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_shown_ = begin_;
};

/// "3:05" or "1:02:03"
std::string clock_text(double seconds);

}  // namespace softalign
