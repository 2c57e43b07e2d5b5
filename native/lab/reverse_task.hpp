#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/format/model_file.hpp"
#include "core/train/schedule.hpp"
#include "core/train/training.hpp"
#include "native/lab/experiment.hpp"

namespace softalign::lab {

/// The toy task of the lesson: random letters in, the same letters backwards out. Nothing can be guessed, so every
/// right letter was carried over from the source.
struct ReverseOptions {
    std::size_t letters = 20;  ///< of the alphabet
    std::size_t longest = 40;  ///< longest training source
    std::size_t hidden = 128;  ///< units of the decoder, and of both directions of the encoder together
    std::uint64_t steps = 2500;
    std::size_t batch = 64;  ///< sequences of a batch
    float learning_rate = 0.003F;
    std::uint64_t seed = 1;
};

/// --letters, --longest, --hidden, --steps, --batch, --learning-rate and --seed
void add_reverse_task(CLI::App& command, ReverseOptions& options);

/// The models that are compared, equal in size except for what attention adds.
enum class Reader { none, additive, dot };
constexpr Reader kReaders[] = {Reader::none, Reader::additive, Reader::dot};
const char* name(Reader reader);         ///< "none"
const char* description(Reader reader);  ///< "no attention"

/// The encoder reads both directions. `additive` has style bahdanau, `dot` style luong.
Configuration reverse_configuration(const ReverseOptions& options, Reader reader);

/// `count` sources of one length each, as a function of (seed, stream) alone, with their targets.
Batch reverse_batch(const ReverseOptions& options, const std::vector<std::size_t>& lengths, std::uint64_t seed,
                    std::uint64_t stream);

/// A seed for sequences that no training with these options sees.
std::uint64_t unseen_seed(const ReverseOptions& options);

/// The batch of step `step`: lengths from 1 to `longest`, at first only short ones, all of them from two fifths of the
/// way on.
Batch reverse_training_batch(const ReverseOptions& options, std::uint64_t step);
ScheduleOptions reverse_schedule(const ReverseOptions& options);

/// @param label of the progress that is reported
std::shared_ptr<const Parameters> train_reverse(const Tools& tools, const ReverseOptions& options,
                                                const Configuration& configuration, const std::string& label);

/// How much of unseen sequences of one length greedy search gets right.
struct ReverseAccuracy {
    double letters = 0;    ///< share of the letters at the right place
    double sequences = 0;  ///< share of the sequences without a mistake, including their end
};
struct UnseenSequences {
    std::size_t length;
    std::size_t count;
};
ReverseAccuracy reverse_accuracy(simd::Executor& executor, const ReverseOptions& options, const Seq2Seq& model,
                                 const UnseenSequences& unseen);

/// The trained model as a file for every command. Its letters are the first ones of the alphabet.
ModelDescription reverse_description(const ReverseOptions& options, Reader reader, const std::string& figures);

}  // namespace softalign::lab
