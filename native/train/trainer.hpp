#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/train/batches.hpp"
#include "core/train/training.hpp"
#include "native/data/corpus.hpp"
#include "native/evaluate/evaluation.hpp"
#include "native/say/progress.hpp"
#include "native/train/checkpoint.hpp"
#include "native/train/recipe.hpp"
#include "native/train/renaming.hpp"
#include "native/train/training_log.hpp"

namespace softalign {

/// The files of a run: MODEL.safetensors, and beside it MODEL.last.safetensors and MODEL.log.jsonl.
struct TrainingFiles {
    explicit TrainingFiles(const std::string& model);
    std::string best;  ///< the model that did best on the validation data
    std::string last;  ///< the checkpoint to resume from
    std::string log;   ///< one JSON object a line
    std::string lock;  ///< held while a run writes the others
};

struct TrainingData {
    std::vector<EncodedPair> training;
    PreparedCorpus training_texts;  ///< of `training`, for augmentation
    std::vector<EncodedPair> validation;
    std::vector<std::vector<std::string>> references;  ///< of the validation pairs
};

/// When a run must end earlier than its recipe says.
struct TrainingLimits {
    double minutes = 0;                              ///< 0: no limit
    const std::atomic<bool>* interrupted = nullptr;  ///< becomes true on a signal
};

enum class TrainingEnd { epochs, steps, patience, minutes, interrupted };

/// The training loop: batches in the recipe's order, validation, the best and the last checkpoint, the log.
///
/// A run that was interrupted and resumed equals an uninterrupted one, bit for bit: the checkpoint holds weights,
/// moments and counters, and everything random is a function of the seed and the counters.
class Trainer {
  public:
    Trainer(simd::Executor& executor, const Recipe& recipe, ModelDescription model, TrainingData data,
            TrainingFiles files);
    /// Resumes a run. Throws Error if the data is not the same as before.
    Trainer(simd::Executor& executor, const Recipe& recipe, Checkpoint checkpoint, TrainingData data,
            TrainingFiles files);

    TrainingEnd run(const TrainingLimits& limits);

  private:
    std::optional<TrainingEnd> train_until_validation(const TrainingLimits& limits);
    void prepare_renaming();
    void begin_epoch();
    bool validation_is_due() const;
    EncodedPair augmented(std::size_t pair) const;
    Batch assemble(const std::vector<std::size_t>& pairs) const;
    void one_step(const std::vector<std::size_t>& pairs);
    void require_same_data(const TrainingProgress& before) const;
    bool is_beyond_reason(double loss) const;
    [[noreturn]] void diverged(const std::string& sign) const;
    struct Judgement {
        TargetScores scores;
        std::optional<double> bleu;  ///< if the recipe asks for translations
    };
    Judgement judge(const std::shared_ptr<const Parameters>& parameters) const;
    void validate(bool remember);
    void save_best(const Parameters& parameters);
    void save_last();
    double seconds() const;

    simd::Executor& executor_;
    Recipe recipe_;
    ScheduleOptions schedule_;  ///< the recipe's, with a length
    ModelDescription model_;
    TrainingData data_;
    TrainingFiles files_;
    std::unique_ptr<Training> training_;
    std::unique_ptr<Renaming> renaming_;  ///< if the recipe asks for it
    Parameters average_;
    TrainingProgress progress_;

    std::vector<PairLength> lengths_;
    std::vector<std::vector<std::size_t>> batches_;  ///< of the current epoch
    std::uint64_t batches_of_an_epoch_ = 0;          ///< approximately
    std::uint64_t last_validated_step_ = 0;
    std::uint64_t saved_step_ = 0;  ///< of the checkpoint; 0: there is none yet
    unsigned bad_steps_ = 0;        ///< in a row, without a finite gradient or with a loss beyond reason

    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    TrainingLog log_;
    std::unique_ptr<Progress> display_;
};

}  // namespace softalign
