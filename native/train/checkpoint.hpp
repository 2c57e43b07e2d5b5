#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/format/model_file.hpp"
#include "core/train/optimizer.hpp"
#include "core/train/schedule.hpp"

namespace softalign {

/// How far a run has come. Everything random is a function of the seed and these counters.
struct TrainingProgress {
    std::uint64_t epoch = 0;                   ///< from 0
    std::uint64_t batch = 0;                   ///< the next one within the epoch
    PlateauState best;                         ///< of the criterion, smaller is better
    std::uint64_t fingerprint = 0;             ///< of the training data
    std::uint64_t validation_fingerprint = 0;  ///< of the validation data; 0: not stored, as in older files
};

/// A model file from which a run can continue, NAME.last.safetensors. Every command that takes a model reads it.
struct Checkpoint {
    ModelDescription model;
    std::shared_ptr<const Parameters> parameters;  ///< the trained ones, not their average
    AdamState adam;
    Parameters average;  ///< empty if the run does not average
    bool averages = false;
    TrainingProgress progress;
    nlohmann::json recipe;
};

std::vector<std::uint8_t> write_checkpoint(const Checkpoint& checkpoint);

/// Throws FormatError for a file that is damaged or not a checkpoint. @param path for messages
Checkpoint read_checkpoint(const FileBytes& bytes, const std::string& path);

}  // namespace softalign
