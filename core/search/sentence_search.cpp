#include "core/search/sentence_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/simd/kernels.hpp"
#include "core/symbols.hpp"

namespace softalign {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

float normalised(float log_probability, std::size_t length, float length_penalty) {
    return log_probability / std::pow(static_cast<float>(length), length_penalty);
}

// Most steps for a sentence. Every step keeps an alignment for each hypothesis of the beam, so a whole book on one
// line, or one letter a million times, gets fewer than 2 S + 5.
std::size_t default_max_length(std::size_t source_length, std::size_t beam) {
    constexpr std::size_t most_weights = std::size_t{1} << 26U;
    return std::min(2 * source_length + 5, most_weights / std::max<std::size_t>(1, source_length) / beam + 1);
}

}  // namespace

SentenceSearch::SentenceSearch(std::size_t source_length, const SearchOptions& options,
                               const Configuration& configuration)
    : options_(options),
      source_length_(source_length),
      max_length_(options.max_length > 0 ? options.max_length : default_max_length(source_length, options.beam)),
      imposed_(checked(options.imposed, configuration, source_length, max_length_)),
      live_{{0, 0.0F}} {}

int SentenceSearch::last_id(std::size_t live) const {
    return length_ == 0 ? static_cast<int>(BOS) : nodes_[live_[live].node].id;
}

const float* SentenceSearch::imposed_weights() const {
    const auto found = imposed_.weights.find(length_);
    return found == imposed_.weights.end() ? nullptr : found->second.data();
}

std::vector<std::size_t> SentenceSearch::advance(simd::MutableMatrixView logits, simd::MatrixView weights) {
    const std::vector<Candidate> candidates = best_candidates(logits);
    if (candidates.empty() || !std::isfinite(candidates.front().total)) {
        throw UnusableWeights("the model's scores are not finite numbers: its weights are unusable");
    }
    ++length_;
    std::vector<Live> grown;
    std::vector<std::size_t> parents;
    for (const Candidate& candidate : candidates) {
        const std::size_t node = nodes_.size();
        nodes_.push_back({length_ == 1 ? node : live_[candidate.live].node, candidate.id, candidate.log_probability,
                          candidate.total, normalised(candidate.total, length_, options_.length_penalty)});
        alignments_.emplace_back();
        if (weights.columns > 0) {
            const float* alpha = weights.data + candidate.live * weights.stride;
            alignments_.back().assign(alpha, alpha + source_length_);
        }
        const bool ended = candidate.id == EOS;
        if (ended || length_ == max_length_) {
            finished_.push_back({node, length_, ended});
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

std::vector<Hypothesis> SentenceSearch::hypotheses() const {
    std::vector<Finished> ranked = finished_;
    std::stable_sort(ranked.begin(), ranked.end(), [this](const Finished& a, const Finished& b) {
        if (a.ended != b.ended) return a.ended;
        return nodes_[a.node].score > nodes_[b.node].score;
    });
    if (ranked.size() > options_.nbest) ranked.resize(options_.nbest);
    std::vector<Hypothesis> result;
    for (const Finished& finished : ranked) result.push_back(hypothesis(finished));
    return result;
}

std::vector<SentenceSearch::Candidate> SentenceSearch::best_candidates(simd::MutableMatrixView logits) const {
    std::vector<Candidate> best;  // a heap, the worst on top
    for (std::size_t l = 0; l < live_.size(); ++l) {
        float* scores = logits.data + l * logits.stride;
        scores[PAD] = scores[BOS] = kNever;  // before the softmax: the other words share their probability
        const float normaliser = simd::log_sum_exp(scores, logits.columns);
        const auto candidate = [&](std::size_t id) {
            const float log_probability = scores[id] - normaliser;
            return Candidate{l, static_cast<int>(id), log_probability, live_[l].total + log_probability};
        };
        if (length_ < imposed_.words.size()) return {candidate(static_cast<std::size_t>(imposed_.words[length_]))};
        if (options_.beam == 1) return {candidate(simd::argmax(scores, logits.columns))};
        float worst_score = kNever;  // only a greater score can enter the beam
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

// Log-probabilities only fall, so at best a live hypothesis scores its present sum over the most favourable length.
bool SentenceSearch::can_still_win() const {
    std::vector<float> scores;
    for (const Finished& finished : finished_) {
        if (finished.ended) scores.push_back(nodes_[finished.node].score);
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

Hypothesis SentenceSearch::hypothesis(const Finished& finished) const {
    Hypothesis result;
    result.finished = finished.ended;
    result.log_probability = nodes_[finished.node].total;
    result.score = nodes_[finished.node].score;
    result.leaf = finished.node;
    result.ids.resize(finished.length);
    result.step_log_probabilities.resize(finished.length);
    const bool attends = !alignments_[finished.node].empty();
    result.alignment = matrix(finished.length, attends ? source_length_ : 0);
    std::size_t node = finished.node;
    for (std::size_t t = finished.length; t-- > 0; node = nodes_[node].parent) {
        result.ids[t] = nodes_[node].id;
        result.step_log_probabilities[t] = nodes_[node].log_probability;
        std::copy(alignments_[node].begin(), alignments_[node].end(), row(result.alignment, t));
    }
    return result;
}

}  // namespace softalign
