#pragma once

#include <vector>

#include "core/model/seq2seq.hpp"

namespace softalign {

/// Every step of a batch of known targets, from BOS to the word before EOS.
struct TeacherForcedRun {
    DecoderPass pass;
    std::vector<int> labels;  ///< [R] the words to predict
    DecoderState started;     ///< the first state, by sentence
    Matrix output_input;      ///< [R, what the output layer reads], before dropout
};

/// The probability that a step reads the reference's word instead of the model's own (Bengio et al. 2015).
struct TeacherForcing {
    float ratio = 1.0F;
    RandomStream stream;
};

/// Runs all steps. @param targets [B], each BOS … EOS; throws UsageError for a shorter one or an id outside the
/// vocabulary
/// @param forcing null if every step reads the reference's word
TeacherForcedRun run_teacher_forced(const Seq2Seq& model, const DecoderBatch& batch, const Encoded& encoded,
                                    const std::vector<std::vector<int>>& targets,
                                    const TeacherForcing* forcing = nullptr);

/// What a model predicts for one sentence whose translation is known.
struct ForcedDecoding {
    std::vector<float> log_probabilities;  ///< [T] of the target's words
    std::vector<int> predicted;            ///< [T] the most likely word at every step
    Matrix alignment;                      ///< [T, S]; [T, 0] without attention
    Matrix logits;                         ///< [T, V], if requested
};

/// The probability of every target word given those before it, and where it was read from.
/// @param sources [B]   @param targets [B], each BOS … EOS
std::vector<ForcedDecoding> forced_decode(simd::Executor& executor, const Seq2Seq& model,
                                          const std::vector<std::vector<int>>& sources,
                                          const std::vector<std::vector<int>>& targets, bool keep_logits = false);

}  // namespace softalign
