#pragma once

#include <vector>

#include "core/model/seq2seq.hpp"

namespace softalign {

/// Every step of a batch of known targets, from BOS to the word before EOS.
struct ForcedRun {
    StepLayout layout;        ///< of the targets
    std::vector<int> ids;     ///< [R] the words read
    std::vector<int> labels;  ///< [R] the words to predict
    DecoderState started;     ///< the first state, by sentence
    DecoderState start;       ///< the first state, by slot
    DecoderTrace trace;
    Matrix output_input;  ///< [R, what the output layer reads], before dropout
};

/// With which probability a step reads the reference's word and not the model's own (Bengio et al. 2015).
struct TeacherForcing {
    float ratio = 1.0F;
    RandomStream stream;
};

/// Runs all steps. @param targets [B], each BOS … EOS; throws UsageError for a shorter one or an id outside the
/// vocabulary
/// @param dropout, forcing null when the model is only run
ForcedRun run_forced(simd::Executor& executor, const Seq2Seq& model, const EncodedBatch& batch,
                     const std::vector<std::vector<int>>& targets, const DecoderDropout* dropout = nullptr,
                     const TeacherForcing* forcing = nullptr);

/// What a model says of one sentence whose translation is given.
struct ForcedSentence {
    std::vector<float> log_probabilities;  ///< [T] of the target's words
    std::vector<int> predicted;            ///< [T] the most likely word at every step
    Matrix alignment;                      ///< [T, S]; [T, 0] without attention
    Matrix logits;                         ///< [T, V], when asked for
};

/// Forced decoding: every target word's probability given the words before it, and where it was read from.
/// @param sources [B]   @param targets [B], each BOS … EOS
std::vector<ForcedSentence> forced_decode(simd::Executor& executor, const Seq2Seq& model,
                                          const std::vector<std::vector<int>>& sources,
                                          const std::vector<std::vector<int>>& targets, bool keep_logits = false);

}  // namespace softalign
