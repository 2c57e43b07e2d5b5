#include "core/model/teacher_forcing.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::Update;

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

Matrix gather_slots(const Matrix& sentences, const StepLayout& layout) {
    if (sentences.size() == 0) return sentences;
    Matrix slots({layout.slots(), sentences.shape(1)});
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        std::copy_n(row(sentences, layout.order[slot]), sentences.shape(1), row(slots, slot));
    }
    return slots;
}

// The model's own choice at every row of one step.
std::vector<int> most_likely(simd::Executor& executor, const Seq2Seq& model, DecoderTrace& trace, std::size_t first,
                             std::size_t count) {
    Matrix logits({count, model.configuration().tgt_vocab});
    model.decoder().logits(executor, model.decoder().output_input(executor, trace, first, count), view(logits));
    std::vector<int> best(count);
    for (std::size_t r = 0; r < count; ++r) {
        row(logits, r)[PAD] = row(logits, r)[BOS] = -std::numeric_limits<float>::infinity();
        best[r] = static_cast<int>(simd::argmax(row(logits, r), logits.shape(1)));
    }
    return best;
}

}  // namespace

ForcedRun run_forced(simd::Executor& executor, const Seq2Seq& model, const EncodedBatch& batch,
                     const std::vector<std::vector<int>>& targets, const DecoderDropout* dropout,
                     const TeacherForcing* forcing) {
    const Configuration& configuration = model.configuration();
    const simd::Stage stage(executor, "decoder");
    const Decoder& decoder = model.decoder();
    const SourceStates& source = batch.encoded.source;
    StepLayout layout(steps_of(targets, configuration.tgt_vocab));
    DecoderState sentences = decoder.start(executor, batch.encoded);
    DecoderState start;
    for (const Matrix& h : sentences.h) start.h.push_back(gather_slots(h, layout));
    for (const Matrix& c : sentences.c) start.c.push_back(gather_slots(c, layout));
    start.feed = gather_slots(sentences.feed, layout);
    ForcedRun run{layout,
                  std::vector<int>(layout.rows()),
                  std::vector<int>(layout.rows()),
                  std::move(sentences),
                  std::move(start),
                  DecoderTrace(configuration, layout.rows(), source.longest()),
                  Matrix()};
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        for (std::size_t slot = 0; slot < layout.active(t); ++slot) {
            const auto& target = targets[layout.order[slot]];
            run.ids[layout.row(t, slot)] = target[t];
            run.labels[layout.row(t, slot)] = target[t + 1];
        }
    }

    const bool samples = forcing != nullptr && forcing->ratio < 1.0F;
    if (!samples) decoder.embed_words(executor, model.target_embedding(), run.ids, run.trace, 0, dropout);
    std::vector<int> own_words;
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        const std::size_t first = layout.first[t];
        const std::size_t active = layout.active(t);
        if (samples) {
            for (std::size_t slot = 0; t > 0 && slot < active; ++slot) {
                if (forcing->stream.uniform(first + slot) >= static_cast<double>(forcing->ratio)) {
                    run.ids[first + slot] = own_words[slot];
                }
            }
            const std::vector<int> step_ids(run.ids.begin() + static_cast<std::ptrdiff_t>(first),
                                            run.ids.begin() + static_cast<std::ptrdiff_t>(first + active));
            decoder.embed_words(executor, model.target_embedding(), step_ids, run.trace, first, dropout);
        }
        const Decoder::Previous previous =
            t > 0 ? decoder.previous(run.trace, layout.first[t - 1], active) : decoder.previous(run.start, active);
        decoder.step(executor, batch.keys, source, layout.order.data(), previous, run.trace, first, active, dropout);
        if (samples) own_words = most_likely(executor, model, run.trace, first, active);
    }
    const simd::MatrixView read = decoder.output_input(executor, run.trace, 0, layout.rows());
    run.output_input = Matrix({read.rows, read.columns});
    for (std::size_t r = 0; r < read.rows; ++r) {
        std::copy_n(read.data + r * read.stride, read.columns, row(run.output_input, r));
    }
    return run;
}

std::vector<ForcedSentence> forced_decode(simd::Executor& executor, const Seq2Seq& model,
                                          const std::vector<std::vector<int>>& sources,
                                          const std::vector<std::vector<int>>& targets, bool keep_logits) {
    const EncodedBatch batch = model.encode(executor, sources);
    const ForcedRun run = run_forced(executor, model, batch, targets);
    const StepLayout& layout = run.layout;
    const std::size_t vocabulary = model.configuration().tgt_vocab;

    std::vector<ForcedSentence> result(sources.size());
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        const std::size_t steps = layout.lengths[slot];
        const std::size_t sentence = layout.order[slot];
        const bool attends = run.trace.weights.size() > 0;
        ForcedSentence& forced = result[sentence];
        forced.log_probabilities.resize(steps);
        forced.predicted.resize(steps);
        forced.alignment = Matrix({steps, attends ? sources[sentence].size() : 0});
        if (keep_logits) forced.logits = Matrix({steps, vocabulary});
    }
    // Step by step, so that only one step's logits are in memory.
    for (std::size_t t = 0; t < layout.steps(); ++t) {
        Matrix logits({layout.active(t), vocabulary});
        model.decoder().logits(executor, view(run.output_input).rows_from(layout.first[t], layout.active(t)),
                               view(logits));
        for_rows(executor, layout.active(t), 8 * vocabulary, [&](std::size_t slot) {
            const std::size_t r = layout.row(t, slot);
            ForcedSentence& forced = result[layout.order[slot]];
            const float* scores = row(logits, slot);
            forced.log_probabilities[t] = scores[run.labels[r]] - simd::log_sum_exp(scores, vocabulary);
            forced.predicted[t] = static_cast<int>(simd::argmax(scores, vocabulary));
            const std::size_t length = forced.alignment.shape(1);
            if (length > 0) std::copy_n(row(run.trace.weights, r), length, row(forced.alignment, t));
            if (keep_logits) std::copy_n(scores, vocabulary, row(forced.logits, t));
        });
    }
    return result;
}

}  // namespace softalign
