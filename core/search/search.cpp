#include "core/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/nn/parallel.hpp"
#include "core/search/sentence_search.hpp"

namespace softalign {

namespace {

Matrix gather_rows(const Matrix& matrix, const std::vector<std::size_t>& rows) {
    Matrix result({rows.size(), matrix.shape(1)});
    for (std::size_t r = 0; r < rows.size(); ++r) std::copy_n(row(matrix, rows[r]), matrix.shape(1), row(result, r));
    return result;
}

void check(const SearchOptions& options) {
    if (options.beam < 1) throw UsageError("the beam must be at least 1");
    if (options.nbest < 1 || options.nbest > options.beam) {
        throw UsageError("the number of hypotheses asked for must be from 1 to the beam, " +
                         std::to_string(options.beam));
    }
    if (!std::isfinite(options.length_penalty)) throw UsageError("the length penalty must be a number");
}

}  // namespace

std::vector<std::vector<Hypothesis>> search(const Seq2Seq& model, simd::Executor& executor,
                                            const std::vector<std::vector<int>>& sources, const SearchOptions& options,
                                            std::vector<std::vector<SearchNode>>* trees) {
    check(options);
    if (sources.empty()) return {};
    const EncodedBatch batch = model.encode(executor, sources);
    const SourceStates& source = batch.encoded.source;
    const Decoder& decoder = model.decoder();
    const SourceProducts products = decoder.source_products(executor, source);

    std::vector<SentenceSearch> searches;
    for (const auto& sentence : sources) searches.emplace_back(sentence.size(), options, model.configuration());
    DecoderState state = decoder.start(executor, batch.encoded);  // a row per live hypothesis, sentence by sentence
    while (true) {
        std::vector<std::size_t> sentence_of_row;
        std::vector<std::size_t> first_row;  // of each sentence
        std::vector<int> words;
        ForcedWeights forced;
        for (std::size_t b = 0; b < searches.size(); ++b) {
            first_row.push_back(words.size());
            for (std::size_t live = 0; live < searches[b].live(); ++live) {
                sentence_of_row.push_back(b);
                words.push_back(searches[b].last_id(live));
                forced.push_back(searches[b].forced_weights());
            }
        }
        const std::size_t rows = words.size();
        if (rows == 0) break;

        DecoderTrace trace(model.configuration(), rows, source.longest());
        decoder.embed_words(executor, model.target_embedding(), words, trace, 0);
        decoder.step(executor, batch.keys, source, sentence_of_row.data(), decoder.previous(state, rows), trace, 0,
                     rows, nullptr, &forced, &products);
        Matrix logits({rows, model.configuration().tgt_vocab});  // [rows, V]
        decoder.logits(executor, products, sentence_of_row.data(), trace, 0, rows, view(logits));

        std::vector<std::vector<std::size_t>> parents(searches.size());
        for_rows(executor, searches.size(), 4 * logits.shape(1), [&](std::size_t b) {
            const std::size_t live = searches[b].live();
            if (live == 0) return;
            parents[b] =
                searches[b].advance(view(logits).rows_from(first_row[b], live),
                                    trace.weights.size() > 0 ? view(trace.weights).rows_from(first_row[b], live)
                                                             : simd::MutableMatrixView{});
        });
        std::vector<std::size_t> kept;
        for (std::size_t b = 0; b < searches.size(); ++b) {
            for (const std::size_t parent : parents[b]) kept.push_back(first_row[b] + parent);
        }
        for (std::size_t l = 0; l < trace.layers.size(); ++l) {
            state.h[l] = gather_rows(trace.layers[l].h, kept);
            state.c[l] = gather_rows(trace.layers[l].c, kept);
        }
        if (model.configuration().input_feeding) state.feed = gather_rows(trace.attentional, kept);
    }

    std::vector<std::vector<Hypothesis>> result;
    if (trees != nullptr) trees->clear();
    for (const SentenceSearch& sentence : searches) {
        result.push_back(sentence.hypotheses());
        if (trees != nullptr) trees->push_back(sentence.tree());
    }
    return result;
}

}  // namespace softalign
