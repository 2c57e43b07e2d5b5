#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/model/seq2seq.hpp"
#include "core/train/optimizer.hpp"

namespace softalign {

/// Sentence pairs of one training step.
struct Batch {
    std::vector<std::vector<int>> sources;  ///< without BOS
    std::vector<std::vector<int>> targets;  ///< BOS … EOS
};

struct TrainingOptions {
    float label_smoothing = 0.0F;
    float embedding_dropout = 0.0F;
    float layer_dropout = 0.0F;    ///< between layers
    float output_dropout = 0.0F;   ///< before the output layer
    float word_dropout = 0.0F;     ///< probability that a source word is replaced by UNK
    float teacher_forcing = 1.0F;  ///< probability that a step reads the reference's word
    AdamOptions adam;
    /// Of the training steps' matrix products. Validation uses a model of the parameters in f32.
    simd::Precision products = simd::Precision::f32;
    std::uint64_t seed = 1;
};

/// The result of one batch.
struct BatchLoss {
    double loss = 0;      ///< mean over the target words, smoothed
    double accuracy = 0;  ///< share of target words that the model found most likely
    std::size_t source_words = 0;
    std::size_t target_words = 0;
};

struct StepResult {
    BatchLoss batch;
    double gradient_norm = 0;  ///< before clipping; if not finite, the step was skipped
};

/// Small random weights to start from, as each layer describes them (core/nn/parameter.hpp).
Parameters initial_parameters(const Configuration& configuration, std::uint64_t seed);

/// Adds the gradient of the batch's mean loss to `gradient`. Dropout and teacher forcing draw from (seed, step).
BatchLoss loss_and_gradient(simd::Executor& executor, const Seq2Seq& model, const Batch& batch,
                            const TrainingOptions& options, std::uint64_t step, Parameters& gradient);

/// A model that is being trained.
class Training {
  public:
    /// Continues from `parameters` and `state`.
    Training(const Configuration& configuration, const TrainingOptions& options, Parameters parameters,
             AdamState state);
    Training(const Configuration& configuration, const TrainingOptions& options);

    /// One batch: loss, gradient, clipping, Adam with learning rate `rate`.
    StepResult step(simd::Executor& executor, const Batch& batch, float rate);

    /// They change with every step.
    std::shared_ptr<const Parameters> parameters() const { return parameters_; }
    const AdamState& state() const { return state_; }

  private:
    TrainingOptions options_;
    std::shared_ptr<Parameters> parameters_;
    AdamState state_;
    Parameters gradient_;
    Seq2Seq model_;
};

}  // namespace softalign
