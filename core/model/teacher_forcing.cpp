#include "core/model/teacher_forcing.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/model/stepper.hpp"
#include "core/nn/parallel.hpp"
#include "core/nn/rows.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

namespace {

std::vector<std::size_t> steps_of(const std::vector<std::vector<int>>& targets, std::size_t vocabulary) {
    std::vector<std::size_t> steps;
    for (const auto& target : targets) {
        if (target.size() < 2) throw UsageError("a target sentence needs at least BOS and EOS");
        for (const int id : target) {
            if (id < 0 || static_cast<std::size_t>(id) >= vocabulary) {
                throw UsageError("target token " + std::to_string(id) + " is outside the target vocabulary of " +
                                 std::to_string(vocabulary));
            }
        }
        steps.push_back(target.size() - 1);
    }
    return steps;
}

// The model's own choice in every row of the last step.
std::vector<int> most_likely(Stepper& stepper, std::size_t count, std::size_t vocabulary) {
    Matrix logits = matrix(count, vocabulary);
    stepper.logits(view(logits));
    std::vector<int> best(count);
    for (std::size_t r = 0; r < count; ++r) {
        row(logits, r)[PAD] = row(logits, r)[BOS] = -std::numeric_limits<float>::infinity();
        best[r] = static_cast<int>(simd::argmax(row(logits, r), logits.shape(1)));
    }
    return best;
}

}  // namespace

TeacherForcedRun run_teacher_forced(const Seq2Seq& model, const DecoderBatch& batch, const Encoded& encoded,
                                    const std::vector<std::vector<int>>& targets, const TeacherForcing* forcing) {
    const simd::Stage stage(batch.executor, "decoder");
    const std::size_t vocabulary = model.configuration().tgt_vocab;
    const StepLayout layout(steps_of(targets, vocabulary));
    DecoderState started = model.decoder().start(batch.executor, encoded);
    DecoderState start = gather_rows(started, layout.order);
    std::vector<int> ids(layout.rows());
    std::vector<int> labels(layout.rows());
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        for (std::size_t slot = 0; slot < layout.active(t); ++slot) {
            const auto& target = targets[layout.order[slot]];
            ids[layout.row(t, slot)] = target[t];
            labels[layout.row(t, slot)] = target[t + 1];
        }
    }

    Stepper stepper(model, batch, start, layout.rows());
    const bool samples = forcing != nullptr && forcing->ratio < 1.0F;
    if (!samples) stepper.embed(ids);
    std::vector<int> own_words;
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        const std::size_t first = layout.first[t];
        const std::size_t active = layout.active(t);
        if (samples) {
            for (std::size_t slot = 0; t > 0 && slot < active; ++slot) {
                if (forcing->stream.uniform(first + slot) >= static_cast<double>(forcing->ratio)) {
                    ids[first + slot] = own_words[slot];
                }
            }
            const auto step_ids = ids.begin() + static_cast<std::ptrdiff_t>(first);
            stepper.embed({step_ids, step_ids + static_cast<std::ptrdiff_t>(active)});
        }
        stepper.step(active, layout.order.data());
        if (samples) own_words = most_likely(stepper, active, vocabulary);
    }

    TeacherForcedRun run{{layout, std::move(ids), std::move(start), std::move(stepper.trace())},
                         std::move(labels),
                         std::move(started),
                         Matrix()};
    const PreviousState none{};
    const simd::MatrixView read =
        model.decoder().output_input(batch, {run.pass.trace, 0, layout.rows(), nullptr, none, nullptr});
    run.output_input = matrix(read.rows, read.columns);
    copy_rows(read, view(run.output_input));
    return run;
}

std::vector<ForcedDecoding> forced_decode(simd::Executor& executor, const Seq2Seq& model,
                                          const std::vector<std::vector<int>>& sources,
                                          const std::vector<std::vector<int>>& targets, bool keep_logits) {
    const EncodedBatch batch = model.encode(executor, sources);
    const TeacherForcedRun run = run_teacher_forced(model, batch.decoder(executor), batch.encoded, targets);
    const StepLayout& layout = run.pass.layout;
    const std::size_t vocabulary = model.configuration().tgt_vocab;

    std::vector<ForcedDecoding> result(sources.size());
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        const std::size_t steps = layout.lengths[slot];
        const std::size_t sentence = layout.order[slot];
        const bool attends = run.pass.trace.weights.shape(1) > 0;
        ForcedDecoding& forced = result[sentence];
        forced.log_probabilities.resize(steps);
        forced.predicted.resize(steps);
        forced.alignment = matrix(steps, attends ? sources[sentence].size() : 0);
        if (keep_logits) forced.logits = matrix(steps, vocabulary);
    }
    // Step by step, so that only one step's logits are in memory.
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        Matrix logits = matrix(layout.active(t), vocabulary);
        model.decoder().output().logits(executor, view(run.output_input).rows_from(layout.first[t], layout.active(t)),
                                        view(logits));
        for_rows(executor, layout.active(t), 8 * vocabulary, [&](std::size_t slot) {
            const std::size_t r = layout.row(t, slot);
            ForcedDecoding& forced = result[layout.order[slot]];
            const float* scores = row(logits, slot);
            forced.log_probabilities[t] = scores[run.labels[r]] - simd::log_sum_exp(scores, vocabulary);
            forced.predicted[t] = static_cast<int>(simd::argmax(scores, vocabulary));
            const std::size_t length = forced.alignment.shape(1);
            if (length > 0) std::copy_n(row(run.pass.trace.weights, r), length, row(forced.alignment, t));
            if (keep_logits) std::copy_n(scores, vocabulary, row(forced.logits, t));
        });
    }
    return result;
}

}  // namespace softalign
