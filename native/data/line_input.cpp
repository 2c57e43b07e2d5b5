#include "native/data/line_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace softalign {

namespace {

bool more_is_waiting() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ::poll(&input, 1, 0) > 0;
}

}  // namespace

std::string too_long() {
    return "the line is longer than " + std::to_string(kLongestLine >> 20U) + " MiB";
}

std::vector<std::string> LineInput::next(std::size_t most) {
    std::vector<std::string> lines;
    std::string line;
    while (lines.size() < most) {
        if (take_line(line)) {
            lines.push_back(std::move(line));
        } else if (ended_ || (!lines.empty() && !more_is_waiting())) {
            break;
        } else {
            fill();
        }
    }
    return lines;
}

bool LineInput::take_line(std::string& line) {
    if (ended_ && taken_ == 0 && buffer_.find('\n') == std::string::npos) line_break_ = '\r';
    if (line_break_ == '\r') searched_ = position_;
    std::size_t end = buffer_.find(line_break_, searched_);
    if (end == std::string::npos) {
        searched_ = buffer_.size();
        if (searched_ - position_ > kLongestLine) {
            throw Error("standard input:" + std::to_string(taken_ + 1) + ": " + too_long());
        }
        if (!ended_ || position_ == buffer_.size()) return false;
        end = buffer_.size();
    }
    ++taken_;
    line = buffer_.substr(position_, end - position_);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    position_ = searched_ = std::min(end + 1, buffer_.size());
    return true;
}

void LineInput::fill() {
    buffer_.erase(0, position_);
    searched_ -= position_;
    position_ = 0;
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    const std::size_t size = buffer_.size();
    buffer_.resize(size + kBlock);
    ssize_t count = 0;
    do {
        count = ::read(STDIN_FILENO, buffer_.data() + size, kBlock);
    } while (count < 0 && errno == EINTR);
    buffer_.resize(size + static_cast<std::size_t>(count < 0 ? 0 : count));
    if (count < 0) throw Error(std::string("cannot read standard input: ") + std::strerror(errno));
    ended_ = count == 0;
}

}  // namespace softalign
