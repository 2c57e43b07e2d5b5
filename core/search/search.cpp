#include "core/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

float normalised(float log_probability, std::size_t length, float length_penalty) {
    return log_probability / std::pow(static_cast<float>(length), length_penalty);
}

// One word of one hypothesis; hypotheses share their beginnings.
struct Node {
    std::size_t parent;  // its own index for the first word
    int id;
    float log_probability;  // of the step
    float total;            // of the hypothesis up to here
    std::vector<float> alignment;
};

// A hypothesis that may still grow, one decoder row.
struct Live {
    std::size_t node;
    float total;
};

struct Candidate {
    std::size_t live;  // which of the sentence's live hypotheses grows
    int id;
    float log_probability;
    float total;
};

// Greater first; of equals the one found first.
bool better(const Candidate& a, const Candidate& b) {
    return a.total > b.total;
}

struct Finished {
    std::size_t node;
    std::size_t length;
    float score;
    bool ended;  // with EOS, not cut by the length limit
};

bool better_finished(const Finished& a, const Finished& b) {
    if (a.ended != b.ended) return a.ended;
    return a.score > b.score;
}

// Steps that a sentence may take: time and memory grow with steps times source positions, so that a book on one line,
// or one letter a million times, gets fewer than 2 S + 5.
std::size_t default_max_length(std::size_t source_length) {
    constexpr std::size_t most_weights = std::size_t{1} << 26U;
    return std::min(2 * source_length + 5, most_weights / std::max<std::size_t>(1, source_length) + 1);
}

// The search of one sentence. A step takes the `beam` best continuations of its live hypotheses; those that end leave
// the beam for good, the others live on, so that a beam of one is greedy search.
class SentenceSearch {
  public:
    SentenceSearch(std::size_t source_length, const SearchOptions& options)
        : options_(options),
          source_length_(source_length),
          max_length_(options.max_length > 0 ? options.max_length : default_max_length(source_length)),
          live_{{0, 0.0F}} {}

    const std::vector<Live>& live() const { return live_; }
    std::size_t source_length() const { return source_length_; }
    bool done() const { return live_.empty(); }

    // The word that the next step of a live hypothesis reads.
    int last_id(const Live& hypothesis) const {
        return length_ == 0 ? static_cast<int>(BOS) : nodes_[hypothesis.node].id;
    }

    // Takes the logits [live, V] of every live hypothesis (those of PAD and BOS become never), and its weights over the
    // source.
    // @return for every hypothesis that lives on, which of the live ones it grew from
    std::vector<std::size_t> advance(simd::MutableMatrixView logits, simd::MatrixView weights) {
        const std::vector<Candidate> candidates = best_candidates(logits);
        if (candidates.empty() || !std::isfinite(candidates.front().total)) {
            throw Error("the model's scores are not finite numbers: its weights are unusable");
        }
        ++length_;
        std::vector<Live> grown;
        std::vector<std::size_t> parents;
        for (const Candidate& candidate : candidates) {
            const std::size_t node = nodes_.size();
            nodes_.push_back({length_ == 1 ? node : live_[candidate.live].node,
                              candidate.id,
                              candidate.log_probability,
                              candidate.total,
                              {}});
            if (weights.columns > 0) {
                const float* alpha = weights.data + candidate.live * weights.stride;
                nodes_.back().alignment.assign(alpha, alpha + source_length_);
            }
            const bool ended = candidate.id == EOS;
            if (ended || length_ == max_length_) {
                finished_.push_back(
                    {node, length_, normalised(candidate.total, length_, options_.length_penalty), ended});
            } else {
                grown.push_back({node, candidate.total});
                parents.push_back(candidate.live);
            }
        }
        live_ = std::move(grown);
        if (!can_still_win()) {
            live_.clear();
            parents.clear();
        }
        return parents;
    }

    std::vector<Hypothesis> result() const {
        std::vector<Finished> ranked = finished_;
        std::stable_sort(ranked.begin(), ranked.end(), better_finished);
        if (ranked.size() > options_.nbest) ranked.resize(options_.nbest);
        std::vector<Hypothesis> hypotheses;
        for (const Finished& finished : ranked) hypotheses.push_back(hypothesis(finished));
        return hypotheses;
    }

  private:
    std::vector<Candidate> best_candidates(simd::MutableMatrixView logits) const {
        std::vector<Candidate> best;  // a heap, the worst on top
        for (std::size_t l = 0; l < live_.size(); ++l) {
            float* scores = logits.data + l * logits.stride;
            scores[PAD] = scores[BOS] = kNever;  // before the softmax: the other words share their probability
            const float normaliser = simd::log_sum_exp(scores, logits.columns);
            const auto candidate = [&](std::size_t id) {
                const float log_probability = scores[id] - normaliser;
                return Candidate{l, static_cast<int>(id), log_probability, live_[l].total + log_probability};
            };
            if (options_.beam == 1) return {candidate(simd::argmax(scores, logits.columns))};
            float worst_score = kNever;  // a score that is not greater cannot enter the beam
            for (std::size_t id = 0; id < logits.columns; ++id) {
                if (!(scores[id] > worst_score)) continue;
                const Candidate entering = candidate(id);
                if (best.size() < options_.beam) {
                    best.push_back(entering);
                    std::push_heap(best.begin(), best.end(), better);
                } else if (better(entering, best.front())) {
                    std::pop_heap(best.begin(), best.end(), better);
                    best.back() = entering;
                    std::push_heap(best.begin(), best.end(), better);
                } else {
                    worst_score = scores[id];
                }
            }
        }
        std::sort(best.begin(), best.end(), [](const Candidate& a, const Candidate& b) {
            if (a.total != b.total) return a.total > b.total;
            return a.live != b.live ? a.live < b.live : a.id < b.id;
        });
        return best;
    }

    // Log-probabilities only fall, so a live hypothesis scores at best what it has now over the length that helps it
    // most.
    bool can_still_win() const {
        std::vector<float> scores;
        for (const Finished& finished : finished_) {
            if (finished.ended) scores.push_back(finished.score);
        }
        if (scores.size() < options_.nbest) return !live_.empty();
        std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(options_.nbest - 1), scores.end(),
                         std::greater<>());
        const float to_beat = scores[options_.nbest - 1];
        const std::size_t kindest_length = options_.length_penalty > 0.0F ? max_length_ : length_ + 1;
        return std::any_of(live_.begin(), live_.end(), [&](const Live& hypothesis) {
            return normalised(hypothesis.total, kindest_length, options_.length_penalty) > to_beat;
        });
    }

    Hypothesis hypothesis(const Finished& finished) const {
        Hypothesis result;
        result.finished = finished.ended;
        result.log_probability = nodes_[finished.node].total;
        result.score = finished.score;
        result.ids.resize(finished.length);
        result.step_log_probabilities.resize(finished.length);
        const bool attends = !nodes_[finished.node].alignment.empty();
        result.alignment = Matrix({finished.length, attends ? source_length_ : 0});
        std::size_t node = finished.node;
        for (std::size_t t = finished.length; t-- > 0; node = nodes_[node].parent) {
            result.ids[t] = nodes_[node].id;
            result.step_log_probabilities[t] = nodes_[node].log_probability;
            std::copy(nodes_[node].alignment.begin(), nodes_[node].alignment.end(), row(result.alignment, t));
        }
        return result;
    }

    SearchOptions options_;
    std::size_t source_length_;
    std::size_t max_length_;
    std::size_t length_ = 0;
    std::vector<Live> live_;
    std::vector<Node> nodes_;
    std::vector<Finished> finished_;
};

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
                                            const std::vector<std::vector<int>>& sources,
                                            const SearchOptions& options) {
    check(options);
    if (sources.empty()) return {};
    const EncodedBatch batch = model.encode(executor, sources);
    const SourceStates& source = batch.encoded.source;
    const Decoder& decoder = model.decoder();

    std::vector<SentenceSearch> searches;
    for (const auto& sentence : sources) searches.emplace_back(sentence.size(), options);
    DecoderState state = decoder.start(executor, batch.encoded);  // a row per live hypothesis, sentence by sentence
    while (true) {
        std::vector<std::size_t> sentence_of_row;
        std::vector<std::size_t> first_row;  // of each sentence
        std::vector<int> words;
        for (std::size_t b = 0; b < searches.size(); ++b) {
            first_row.push_back(words.size());
            for (const Live& hypothesis : searches[b].live()) {
                sentence_of_row.push_back(b);
                words.push_back(searches[b].last_id(hypothesis));
            }
        }
        const std::size_t rows = words.size();
        if (rows == 0) break;

        DecoderTrace trace(model.configuration(), rows, source.longest());
        decoder.embed_words(executor, model.parameters().target_embedding, words, trace, 0);
        decoder.step(executor, batch.keys, source, sentence_of_row.data(), decoder.previous(state, rows), trace, 0,
                     rows);
        Matrix logits({rows, model.configuration().tgt_vocab});  // [rows, V]
        decoder.logits(executor, decoder.output_input(executor, trace, 0, rows), view(logits));

        std::vector<std::vector<std::size_t>> parents(searches.size());
        for_rows(executor, searches.size(), 4 * logits.shape(1), [&](std::size_t b) {
            const std::size_t live = searches[b].live().size();
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
    for (const SentenceSearch& sentence : searches) result.push_back(sentence.result());
    return result;
}

}  // namespace softalign
