#include "native/lab/given_weights.hpp"

#include <algorithm>
#include <numeric>

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
    const Matrix& states = batch_.encoded.source.states;  // [S, K]
    const std::size_t rows = weights.shape(0);

    // A source of one single position is read with weight 1: its state is the context. So every row gets a source of
    // its own, whose only state is the context that the given weights make.
    SourceStates contexts{Matrix({rows, states.shape(1)}), {}};
    contexts.first.resize(rows + 1);
    std::iota(contexts.first.begin(), contexts.first.end(), 0);
    for (std::size_t r = 0; r < rows; ++r) {
        simd::weighted_sum(row(weights, r), states.data(), row(contexts.states, r), states.shape(0), states.shape(1),
                           false);
    }
    const Matrix keys = decoder.attention().keys(executor, contexts);

    const Decoder::Previous before =
        step > 0 ? decoder.previous(run_.trace, step - 1, 1) : decoder.previous(run_.start, 1);
    DecoderState state;
    for (const simd::MatrixView& h : before.h) state.h.push_back(repeated(h, rows));
    for (const simd::MatrixView& c : before.c) state.c.push_back(repeated(c, rows));
    if (model_.configuration().input_feeding) state.feed = repeated(before.feed, rows);

    DecoderTrace trace(model_.configuration(), rows, 1);
    decoder.embed_words(executor, model_.parameters().target_embedding, std::vector<int>(rows, run_.ids[step]), trace,
                        0);
    decoder.step(executor, keys, contexts, contexts.first.data(), decoder.previous(state, rows), trace, 0, rows);
    Matrix probabilities({rows, model_.configuration().tgt_vocab});
    decoder.logits(executor, decoder.output_input(executor, trace, 0, rows), view(probabilities));
    for (std::size_t r = 0; r < rows; ++r) simd::softmax(row(probabilities, r), probabilities.shape(1));
    return probabilities;
}

}  // namespace softalign::lab
