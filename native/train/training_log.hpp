#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/train/training.hpp"

namespace softalign {

/// The log of a run, one JSON object a line, and the figures of the steps since its last line.
class TrainingLog {
  public:
    /// @param resumed append to the file instead of replacing it
    TrainingLog(std::string path, bool resumed);

    void add(const StepResult& step);
    /// Mean loss and speed since the last line: "loss 3.214  5120 tokens/s". Empty before the first step.
    std::string summary() const;
    /// Writes the means since the last line, if at least `least_steps` steps were added.
    void write_training(std::uint64_t least_steps, std::uint64_t epoch, std::uint64_t step, float rate, double seconds);
    void write(const nlohmann::json& entry) const;
    /// Excludes the time until now, such as a validation, from training time.
    void restart_clock() { begin_ = std::chrono::steady_clock::now(); }

  private:
    double tokens_per_second() const;

    std::string path_;
    std::uint64_t steps_ = 0;
    std::uint64_t skipped_ = 0;  ///< steps whose gradient was not finite
    double loss_ = 0;            ///< sum over the target words
    double hits_ = 0;
    double gradient_norm_ = 0;  ///< sum over the steps
    std::uint64_t source_words_ = 0;
    std::uint64_t target_words_ = 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace softalign
