#include "core/search/search.hpp"

#include <cmath>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/model/stepper.hpp"
#include "core/nn/parallel.hpp"
#include "core/search/sentence_search.hpp"

namespace softalign {

namespace {

void check(const SearchOptions& options) {
    if (options.beam < 1) throw UsageError("the beam must be at least 1");
    if (options.nbest < 1 || options.nbest > options.beam) {
        throw UsageError("the number of hypotheses asked for must be from 1 to the beam, " +
                         std::to_string(options.beam));
    }
    if (!std::isfinite(options.length_penalty)) throw UsageError("the length penalty must be a number");
}

}  // namespace

struct Search::State {
    State(const Seq2Seq& seq2seq, simd::Executor& runs, const std::vector<std::vector<int>>& sources,
          const SearchOptions& options)
        : model(seq2seq), executor(runs), batch(model.encode_for_search(executor, sources)) {
        for (const auto& sentence : sources) searches.emplace_back(sentence.size(), options, model.configuration());
        stepper.emplace(model, batch.decoder(executor), model.decoder().start(executor, batch.encoded), sources.size());
    }

    const Seq2Seq& model;
    simd::Executor& executor;
    EncodedBatch batch;
    std::vector<SentenceSearch> searches;
    std::optional<Stepper> stepper;  // a row per live hypothesis, sentence by sentence
};

Search::Search(const Seq2Seq& model, simd::Executor& executor, const std::vector<std::vector<int>>& sources,
               const SearchOptions& options) {
    check(options);
    for (const auto& sentence : sources) {
        if (options.max_source > 0 && sentence.size() > options.max_source) {
            throw UsageError("The text has " + std::to_string(sentence.size()) + " symbols, and at most " +
                             std::to_string(options.max_source) + " are translated at once; shorten it.");
        }
    }
    if (!sources.empty()) state_ = std::make_unique<State>(model, executor, sources, options);
}

Search::~Search() = default;

bool Search::advance() {
    if (state_ == nullptr) return false;
    std::vector<SentenceSearch>& searches = state_->searches;
    std::vector<std::size_t> sentence_of_row;
    std::vector<std::size_t> first_row;  // of each sentence
    std::vector<int> words;
    ImposedWeights imposed;
    for (std::size_t b = 0; b < searches.size(); ++b) {
        first_row.push_back(words.size());
        for (std::size_t live = 0; live < searches[b].live(); ++live) {
            sentence_of_row.push_back(b);
            words.push_back(searches[b].last_id(live));
            imposed.push_back(searches[b].imposed_weights());
        }
    }
    const std::size_t rows = words.size();
    if (rows == 0) return false;

    Stepper& stepper = *state_->stepper;
    stepper.embed(words);
    stepper.step(rows, sentence_of_row.data(), &imposed);
    Matrix logits = matrix(rows, state_->model.configuration().tgt_vocab);  // [rows, V]
    stepper.logits(view(logits));

    std::vector<std::vector<std::size_t>> parents(searches.size());
    for_rows(state_->executor, searches.size(), 4 * logits.shape(1), [&](std::size_t b) {
        const std::size_t live = searches[b].live();
        if (live == 0) return;
        parents[b] = searches[b].advance(view(logits).rows_from(first_row[b], live),
                                         stepper.weights().rows_from(first_row[b], live));
    });
    std::vector<std::size_t> kept;
    for (std::size_t b = 0; b < searches.size(); ++b) {
        for (const std::size_t parent : parents[b]) kept.push_back(first_row[b] + parent);
    }
    stepper.keep(kept);
    return !kept.empty();
}

std::vector<std::vector<Hypothesis>> Search::hypotheses() const {
    std::vector<std::vector<Hypothesis>> result;
    if (state_ == nullptr) return result;
    for (const SentenceSearch& sentence : state_->searches) result.push_back(sentence.hypotheses());
    return result;
}

std::vector<std::vector<SearchNode>> Search::trees() const {
    std::vector<std::vector<SearchNode>> result;
    if (state_ == nullptr) return result;
    for (const SentenceSearch& sentence : state_->searches) result.push_back(sentence.tree());
    return result;
}

std::vector<std::vector<Hypothesis>> search(const Seq2Seq& model, simd::Executor& executor,
                                            const std::vector<std::vector<int>>& sources,
                                            const SearchOptions& options) {
    Search all(model, executor, sources, options);
    while (all.advance()) {
    }
    return all.hypotheses();
}

}  // namespace softalign
