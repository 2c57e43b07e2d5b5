#include "native/train/training_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/error.hpp"

namespace softalign {

TrainingLog::TrainingLog(std::string path, bool resumed) : path_(std::move(path)) {
    const std::ofstream file(path_, resumed ? std::ios::app : std::ios::trunc);
    if (!file) throw Error("cannot write '" + path_ + "': " + std::strerror(errno));
}

void TrainingLog::add(const StepResult& step) {
    const auto words = static_cast<double>(step.batch.target_words);
    ++steps_;
    source_words_ += step.batch.source_words;
    target_words_ += step.batch.target_words;
    loss_ += step.batch.loss * words;
    hits_ += step.batch.accuracy * words;
    if (std::isfinite(step.gradient_norm)) {
        gradient_norm_ += step.gradient_norm;
    } else {
        ++skipped_;
    }
}

double TrainingLog::tokens_per_second() const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return static_cast<double>(source_words_ + target_words_) / std::max(seconds, 1e-9);
}

std::string TrainingLog::summary() const {
    if (target_words_ == 0) return "";
    return fmt::format("loss {:.3f}  {:.0f} tokens/s", loss_ / static_cast<double>(target_words_), tokens_per_second());
}

void TrainingLog::write_training(std::uint64_t least_steps, std::uint64_t epoch, std::uint64_t step, float rate,
                                 double seconds) {
    if (steps_ < std::max<std::uint64_t>(1, least_steps)) return;
    const auto words = static_cast<double>(target_words_);
    write({{"event", "training"},
           {"epoch", epoch},
           {"step", step},
           {"loss", loss_ / words},
           {"token_accuracy", hits_ / words},
           {"gradient_norm", gradient_norm_ / static_cast<double>(std::max<std::uint64_t>(1, steps_ - skipped_))},
           {"skipped_steps", skipped_},
           {"learning_rate", rate},
           {"tokens_per_second", std::round(tokens_per_second())},
           {"seconds", seconds}});
    steps_ = skipped_ = source_words_ = target_words_ = 0;
    loss_ = hits_ = gradient_norm_ = 0;
    begin_ = std::chrono::steady_clock::now();
}

void TrainingLog::write(const nlohmann::json& entry) const {
    std::ofstream file(path_, std::ios::app);
    file << entry.dump() << '\n';
    if (!file.flush()) throw Error("cannot write '" + path_ + "': " + std::strerror(errno));
}

}  // namespace softalign
