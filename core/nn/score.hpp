#pragma once

#include <array>

#include "core/names.hpp"
#include "core/nn/parameter.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// How a decoder query is compared with a source state: the equations are at `Attention`.
enum class Score { none, additive, concat, general, dot, scaled_dot };

/// What others have to know of a score.
struct ScoreKind {
    Score value;
    const char* name;
    bool has_units;       ///< adds a projected key and a projected query of `attn` units under a tanh
    bool compares_sizes;  ///< multiplies the query with the state itself, so that their sizes must be equal
};

inline constexpr std::array<ScoreKind, 6> kScores{{{Score::none, "none", false, false},
                                                   {Score::additive, "additive", true, false},
                                                   {Score::concat, "concat", true, false},
                                                   {Score::general, "general", false, false},
                                                   {Score::dot, "dot", false, true},
                                                   {Score::scaled_dot, "scaled_dot", false, true}}};

constexpr const ScoreKind& kind(Score score) {
    return row_of(kScores, score);
}

/// Sizes of what an attention compares.
struct AttentionSizes {
    std::size_t query;  ///< Q
    std::size_t state;  ///< K
    std::size_t units;  ///< A
};

/// The attention's matrices; which are present depends on the score.
template <typename Weights>
struct AttentionParametersOf {
    Weights Wh;  ///< additive: [A, K]
    Weights Ws;  ///< additive: [A, Q]
    Weights W;   ///< concat: [A, Q + K]; general: [K, Q]
    Weights v;   ///< additive and concat: [1, A]
};
using AttentionParameters = AttentionParametersOf<Matrix>;

/// @tparam Parameters AttentionParametersOf, const or not
template <typename Parameters, typename Visitor>
void visit_attention(Parameters& parameters, const Visitor& parameter, Score score, const AttentionSizes& sizes) {
    const std::size_t query = sizes.query;
    const std::size_t state = sizes.state;
    const std::size_t units = sizes.units;
    const auto matrix = [&](const char* name, auto& weights, std::size_t rows, std::size_t columns, const Reads& read) {
        parameter(name, weights, Shape{rows, columns}, glorot(rows, columns), read);
    };
    if (score == Score::additive) {
        matrix("Wh.weight", parameters.Wh, units, state, reads(Per::source_word, state));
        matrix("Ws.weight", parameters.Ws, units, query, reads(Per::target_word, query));
    } else if (score == Score::concat) {
        matrix("W.weight", parameters.W, units, query + state, Reads{state, query, 0, 0});
    } else if (score == Score::general) {
        matrix("W.weight", parameters.W, state, query, reads(Per::source_word, query));
    }
    if (kind(score).has_units) matrix("v.weight", parameters.v, 1, units, Reads{0, 0, 0, units});
}

/// Multiplications of an attention for each pair of a source and a target word that no parameter is a factor of: the
/// context's, and the energy's where query and key are multiplied.
constexpr std::size_t products_per_word_pair(Score score, const AttentionSizes& size) {
    if (score == Score::none) return 0;
    return size.state + (kind(score).has_units ? 0 : size.query);
}

}  // namespace softalign
