#include "native/lab/given_weights.hpp"

#include <algorithm>

#include "core/simd/kernels.hpp"

namespace softalign::lab {

namespace {

/// The first row, `count` times.
Matrix repeated(simd::MatrixView first_row, std::size_t count) {
    Matrix result({count, first_row.columns});
    for (std::size_t r = 0; r < count; ++r) std::copy_n(first_row.data, first_row.columns, row(result, r));
    return result;
}

}  // namespace

GivenWeights::GivenWeights(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source,
                           const std::vector<int>& target)
    : model_(model), batch_(model.encode(executor, {source})), run_(run_forced(executor, model, batch_, {target})) {}

Matrix GivenWeights::distributions(simd::Executor& executor, std::size_t step, const Matrix& weights) const {
    const Decoder& decoder = model_.decoder();
    const std::size_t rows = weights.shape(0);
    const std::vector<std::size_t> same_sentence(rows, 0);
    ForcedWeights forced;
    for (std::size_t r = 0; r < rows; ++r) forced.push_back(row(weights, r));

    const Decoder::Previous before =
        step > 0 ? decoder.previous(run_.trace, step - 1, 1) : decoder.previous(run_.start, 1);
    DecoderState state;
    for (const simd::MatrixView& h : before.h) state.h.push_back(repeated(h, rows));
    for (const simd::MatrixView& c : before.c) state.c.push_back(repeated(c, rows));
    if (model_.configuration().input_feeding) state.feed = repeated(before.feed, rows);

    DecoderTrace trace(model_.configuration(), rows, positions());
    decoder.embed_words(executor, model_.target_embedding(), std::vector<int>(rows, run_.ids[step]), trace, 0);
    decoder.step(executor, batch_.keys, batch_.encoded.source, same_sentence.data(), decoder.previous(state, rows),
                 trace, 0, rows, nullptr, &forced);
    Matrix probabilities({rows, model_.configuration().tgt_vocab});
    decoder.logits(executor, decoder.output_input(executor, trace, 0, rows), view(probabilities));
    for (std::size_t r = 0; r < rows; ++r) simd::softmax(row(probabilities, r), probabilities.shape(1));
    return probabilities;
}

}  // namespace softalign::lab
