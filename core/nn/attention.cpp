#include "core/nn/attention.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::MutableMatrixView;
using simd::Update;

namespace {

/// Scores that overflow give weights that are not numbers. That is the model's fault, which the search reports.
[[maybe_unused]] bool are_sound_or_overflowed(MatrixView weights, std::size_t length) {
    const AttentionDiagnosis diagnosis = diagnose(weights, length);
    return diagnosis.sound() || std::isinf(diagnosis.largest_sum_error);
}

}  // namespace

std::size_t SourceStates::longest() const {
    std::size_t result = 0;
    for (std::size_t b = 0; b < sentences(); ++b) result = std::max(result, length(b));
    return result;
}

template <typename Weights>
void Attention::set(const Preparation& preparation, Score score, const AttentionSizes& sizes,
                    const AttentionParametersOf<Weights>& parameters) {
    score_ = score;
    sizes_ = sizes;
    switch (score_) {
        case Score::additive:
            key_side_.set(preparation, parameters.Wh, all_columns(parameters.Wh), Rows::of_a_batch);
            query_side_.set(preparation, parameters.Ws, all_columns(parameters.Ws));
            break;
        case Score::concat:
            // W is [Ws, Wh] side by side.
            key_side_.set(preparation, parameters.W, {sizes.query, sizes.state}, Rows::of_a_batch);
            query_side_.set(preparation, parameters.W, {0, sizes.query});
            break;
        case Score::general:
            if (preparation.precision == simd::Precision::int8) {
                stored_W_ = floats_of(parameters.W);
            } else {
                const Matrix transposed = xt::transpose(floats_of(parameters.W));  // [Q, K]
                key_side_.set(preparation, transposed, all_columns(transposed));
            }
            break;
        case Score::scaled_dot:
            scale_ = 1.0F / std::sqrt(static_cast<float>(sizes.state));
            break;
        case Score::dot:
        case Score::none:
            break;
    }
    if (kind(score_).has_units) {
        const Matrix& v = floats_of(parameters.v);  // [1, A]
        v_ = zeros(v.size());
        std::copy_n(v.data(), v.size(), v_.data());
    }
}

template void Attention::set(const Preparation&, Score, const AttentionSizes&, const AttentionParameters&);
template void Attention::set(const Preparation&, Score, const AttentionSizes&,
                             const AttentionParametersOf<QuantizedMatrix>&);

Matrix Attention::keys(simd::Executor& executor, const SourceStates& source) const {
    const simd::Stage stage(executor, "attention");
    if (states_are_keys()) return matrix(0, 0);
    Matrix keys = matrix(source.states.shape(0), key_side_.empty() ? stored_W_.shape(1) : key_side_.outputs());
    if (!key_side_.empty()) {
        key_side_.forward(executor, view(source.states), view(keys), Update::replace);
        return keys;
    }
    for_rows(executor, keys.shape(0), stored_W_.size(), [&](std::size_t i) {
        simd::weighted_sum(row(source.states, i), stored_W_.data(), row(keys, i), stored_W_.shape(0),
                           stored_W_.shape(1), false);
    });
    return keys;
}

void Attention::score(MatrixView keys, const float* query, const float* projected, float* energies) const {
    if (kind(score_).has_units) {
        simd::additive_energies({keys.data, projected, v_.data(), keys.rows, keys.columns}, energies);
    } else {
        simd::rows_dot(keys.data, query, scale_, energies, keys.rows, keys.columns);
    }
}

void Attention::energies(const Source& source, const Queries& queries, MatrixView projected,
                         MutableMatrixView energies) const {
    const Matrix& read_keys = keys_or_states(source);
    for_rows(source.executor, queries.rows.rows, energies.columns * 8 * read_keys.shape(1), [&](std::size_t r) {
        const std::size_t sentence = queries.sentence[r];
        score(view(read_keys).rows_from(source.states.first[sentence], source.states.length(sentence)),
              row(queries.rows, r), row(projected, r), row(energies, r));
    });
}

void Attention::read(const Source& source, const Queries& queries, const Read& to,
                     const ImposedWeights* imposed) const {
    simd::Executor& executor = source.executor;
    const simd::Stage stage(executor, "attention");
    const SourceStates& states = source.states;
    const Matrix& read_keys = keys_or_states(source);
    const std::size_t state_size = states.states.shape(1);
    const std::size_t columns = to.weights.columns;
    if (kind(score_).has_units) query_side_.forward(executor, queries.rows, to.projected, Update::replace);  // [R, A]

    for_rows(executor, queries.rows.rows, columns * (8 * read_keys.shape(1) + state_size), [&](std::size_t r) {
        const std::size_t sentence = queries.sentence[r];
        const std::size_t first = states.first[sentence];
        const std::size_t length = states.length(sentence);
        float* alpha = row(to.weights, r);  // [S]
        std::fill(alpha + length, alpha + columns, 0.0F);
        if (imposed != nullptr && (*imposed)[r] != nullptr) {
            std::copy_n((*imposed)[r], length, alpha);
        } else {
            score(view(read_keys).rows_from(first, length), row(queries.rows, r), row(to.projected, r), alpha);
            simd::softmax(alpha, length);
            assert(are_sound_or_overflowed({alpha, 1, columns, columns}, length));
        }
        simd::weighted_sum(alpha, row(states.states, first), row(to.context, r), length, state_size, false);
    });
}

Attention::Gradient::Gradient(const Attention& attention, const SourceStates& source, const Matrix& forward_keys)
    : keys(zeros(forward_keys.shape(0), forward_keys.shape(1))),
      states(zeros(source.states.shape(0), source.states.shape(1))),
      v(zeros(attention.v_.size() > 0 ? source.sentences() : 0, attention.v_.size())) {}

void Attention::read_backward(const Source& source, const Queries& queries, const Read& read, const ReadGradient& rows,
                              Gradient& gradient) const {
    simd::Executor& executor = source.executor;
    const simd::Stage stage(executor, "attention backward");
    const SourceStates& states = source.states;
    const Matrix& read_keys = keys_or_states(source);
    Matrix& dkeys = states_are_keys() ? gradient.states : gradient.keys;
    const std::size_t key_size = read_keys.shape(1);
    const std::size_t state_size = states.states.shape(1);
    const std::size_t columns = read.weights.columns;

    Matrix denergies = matrix(queries.rows.rows, columns);  // [R, S]
    for_rows(executor, queries.rows.rows, columns * (12 * key_size + 2 * state_size), [&](std::size_t r) {
        const std::size_t sentence = queries.sentence[r];
        const std::size_t length = states.length(sentence);
        const std::size_t first = states.first[sentence];
        const float* alpha = row(read.weights, r);
        const float* dc = row(rows.context, r);
        float* de = row(denergies, r);

        simd::add_outer(alpha, dc, row(gradient.states, first), length, state_size);
        simd::rows_dot(row(states.states, first), dc, 1.0F, de, length, state_size);  // dalpha
        simd::softmax_backward(alpha, de, de, length);
        if (kind(score_).has_units) {
            float* dprojected = row(rows.projected, r);
            std::fill(dprojected, dprojected + key_size, 0.0F);
            simd::additive_energies_backward(
                {row(read_keys, first), row(read.projected, r), v_.data(), length, key_size}, de,
                {row(dkeys, first), dprojected, row(gradient.v, sentence)});
        } else {
            simd::scale(scale_, de, length);
            simd::add_outer(de, row(queries.rows, r), row(dkeys, first), length, key_size);
            simd::weighted_sum(de, row(read_keys, first), row(rows.query, r), length, key_size, true);
        }
    });
    if (kind(score_).has_units) query_side_.backward(executor, rows.projected, rows.query, Update::add);
}

void Attention::finish_backward(const Source& source, MatrixView queries, MatrixView dprojected, Gradient& gradient,
                                AttentionParameters& parameters) const {
    simd::Executor& executor = source.executor;
    const simd::Stage stage(executor, "attention backward");
    const MatrixView states = view(source.states.states);
    if (!key_side_.empty()) key_side_.backward(executor, view(gradient.keys), view(gradient.states), Update::add);
    switch (score_) {
        case Score::additive:
            key_side_.weight_gradient(executor, view(gradient.keys), states, view(parameters.Wh));
            query_side_.weight_gradient(executor, dprojected, queries, view(parameters.Ws));
            break;
        case Score::concat: {
            const MutableMatrixView W = view(parameters.W);
            key_side_.weight_gradient(executor, view(gradient.keys), states,
                                      W.columns_from(sizes_.query, sizes_.state));
            query_side_.weight_gradient(executor, dprojected, queries, W.columns_from(0, sizes_.query));
            break;
        }
        case Score::general:
            key_side_.weight_gradient(executor, states, view(gradient.keys), view(parameters.W));
            break;
        case Score::dot:
        case Score::scaled_dot:
        case Score::none:
            break;
    }
    for (std::size_t b = 0; b < gradient.v.shape(0); ++b) {
        simd::add(row(gradient.v, b), parameters.v.data(), v_.size());
    }
}

AttentionDiagnosis diagnose(MatrixView weights, std::size_t length) {
    AttentionDiagnosis result;
    for (std::size_t t = 0; t < weights.rows; ++t) {
        const float* alpha = weights.data + t * weights.stride;
        double sum = 0;
        for (std::size_t i = 0; i < length; ++i) sum += alpha[i];
        const auto error = static_cast<float>(std::abs(sum - 1.0));
        // A sum that is not a number is the worst case.
        result.largest_sum_error = error >= 0 ? std::max(result.largest_sum_error, error) : INFINITY;
        for (std::size_t i = length; i < weights.columns; ++i) {
            result.largest_padding_weight = std::max(result.largest_padding_weight, std::abs(alpha[i]));
        }
    }
    return result;
}

}  // namespace softalign
