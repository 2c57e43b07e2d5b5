#include "native/say/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "native/say/output.hpp"
#include "native/say/printable.hpp"
#include "native/say/terminal.hpp"

namespace softalign {

namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(10);
constexpr std::size_t kBarWidth = 24;

double seconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::string bar(double share) {
    const auto full = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
    std::string text;
    for (std::size_t i = 0; i < kBarWidth; ++i) text += i < full ? "━" : "·";
    return text;
}

}  // namespace

std::string clock_text(double duration) {
    const auto whole = static_cast<long>(std::clamp(duration, 0.0, 3.6e8));
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

Progress::Progress(const std::string& label, std::uint64_t total, std::uint64_t done)
    : label_(printable(label)), total_(total), first_(done), bar_(terminal::is_terminal(STDERR_FILENO)) {}

Progress::~Progress() {
    erase_bar();
}

void Progress::update(std::uint64_t done, const std::string& note) {
    const auto now = Clock::now();
    if (now - last_shown_ < (bar_ ? Clock::duration(kBarInterval) : Clock::duration(kLineInterval))) return;
    last_shown_ = now;
    const std::string text = status(done, note);
    if (!bar_) {
        write_message(fmt::format("{}\n", text));
        return;
    }
    const std::size_t width = terminal::columns(STDERR_FILENO).value_or(80);
    draw_message(fmt::format("\r\x1b[K{}", terminal::cut(text, width - 1)));
    bar_drawn_ = true;
}

void Progress::say(const std::string& line) {
    erase_bar();
    write_message(fmt::format("{}\n", line));
}

std::string Progress::status(std::uint64_t done, const std::string& note) const {
    const double share = total_ == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    std::string text = label_ + "  ";
    if (bar_) text += bar(share) + " ";
    text += fmt::format("{:3.0f} %", 100 * share);
    if (!note.empty()) text += "  " + note;
    if (done > first_ && done < total_) {
        const double left =
            seconds(Clock::now() - begin_) * static_cast<double>(total_ - done) / static_cast<double>(done - first_);
        text += "  " + clock_text(left) + " left";
    }
    return text;
}

void Progress::erase_bar() {
    if (!bar_drawn_) return;
    draw_message("\r\x1b[K");
    bar_drawn_ = false;
}

}  // namespace softalign
