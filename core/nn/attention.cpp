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

/// The weights of scores that overflow are no numbers. That is the model's fault, which the search tells.
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
void Attention::set(simd::Executor& executor, Score score, std::size_t query_size, std::size_t state_size,
                    const AttentionParametersOf<Weights>& parameters, Passes passes, simd::Precision precision) {
    score_ = score;
    switch (score_) {
        case Score::additive:
            key_side_.set(executor, parameters.Wh, passes, precision, Rows::of_a_batch);
            query_side_.set(executor, parameters.Ws, passes, precision);
            break;
        case Score::concat:
            // W is [Ws, Wh] side by side.
            key_side_.set(executor, parameters.W, {query_size, state_size}, passes, precision, Rows::of_a_batch);
            query_side_.set(executor, parameters.W, {0, query_size}, passes, precision);
            break;
        case Score::general:
            if (precision == simd::Precision::int8) {
                stored_W_ = floats_of(parameters.W);
            } else {
                const Matrix transposed = xt::transpose(floats_of(parameters.W));  // [Q, K]
                key_side_.set(executor, transposed, passes, precision);
            }
            break;
        case Score::scaled_dot:
            scale_ = 1.0F / std::sqrt(static_cast<float>(state_size));
            break;
        case Score::dot:
        case Score::none:
            break;
    }
    if (score_ == Score::additive || score_ == Score::concat) {
        const Matrix& v = floats_of(parameters.v);  // [1, A]
        projected_size_ = v.size();
        v_ = zeros(projected_size_);
        std::copy_n(v.data(), projected_size_, v_.data());
    }
}

template void Attention::set(simd::Executor&, Score, std::size_t, std::size_t, const AttentionParameters&, Passes,
                             simd::Precision);
template void Attention::set(simd::Executor&, Score, std::size_t, std::size_t,
                             const AttentionParametersOf<QuantizedMatrix>&, Passes, simd::Precision);

Matrix Attention::keys(simd::Executor& executor, const SourceStates& source) const {
    const simd::Stage stage(executor, "attention");
    if (states_are_keys()) return Matrix({0, 0});
    Matrix keys({source.states.shape(0), key_side_.empty() ? stored_W_.shape(1) : key_side_.outputs()});
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

void Attention::score(const float* keys, const float* query, const float* projected, std::size_t length,
                      std::size_t key_size, float* energies) const {
    if (is_additive()) {
        simd::additive_energies(keys, projected, v_.data(), energies, length, key_size);
    } else {
        simd::rows_dot(keys, query, scale_, energies, length, key_size);
    }
}

void Attention::energies(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
                         const std::size_t* sentence_of_row, MatrixView query, MatrixView projected,
                         MutableMatrixView energies) const {
    const Matrix& read_keys = keys_or_states(keys, source);
    const std::size_t key_size = read_keys.shape(1);
    for_rows(executor, query.rows, energies.columns * 8 * key_size, [&](std::size_t r) {
        const std::size_t sentence = sentence_of_row[r];
        score(row(read_keys, source.first[sentence]), query.data + r * query.stride,
              projected.data + r * projected.stride, source.length(sentence), key_size,
              energies.data + r * energies.stride);
    });
}

void Attention::read(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
                     const std::size_t* sentence_of_row, MatrixView query, MutableMatrixView projected,
                     MutableMatrixView weights, MutableMatrixView context, const ForcedWeights* forced) const {
    const simd::Stage stage(executor, "attention");
    const Matrix& read_keys = keys_or_states(keys, source);
    const std::size_t key_size = read_keys.shape(1);
    const std::size_t state_size = source.states.shape(1);
    if (is_additive()) query_side_.forward(executor, query, projected, Update::replace);  // [R, A]

    for_rows(executor, query.rows, weights.columns * (8 * key_size + state_size), [&](std::size_t r) {
        const std::size_t sentence = sentence_of_row[r];
        const std::size_t length = source.length(sentence);
        float* alpha = weights.data + r * weights.stride;  // [S]
        std::fill(alpha + length, alpha + weights.columns, 0.0F);
        if (forced != nullptr && (*forced)[r] != nullptr) {
            std::copy_n((*forced)[r], length, alpha);
        } else {
            score(row(read_keys, source.first[sentence]), query.data + r * query.stride,
                  projected.data + r * projected.stride, length, key_size, alpha);
            simd::softmax(alpha, length);
            assert(are_sound_or_overflowed({alpha, 1, weights.columns, weights.columns}, length));
        }
        simd::weighted_sum(alpha, row(source.states, source.first[sentence]), context.data + r * context.stride, length,
                           state_size, false);
    });
}

Attention::Gradient::Gradient(const Attention& attention, const SourceStates& source, const Matrix& forward_keys)
    : keys(zeros(forward_keys.shape(0), forward_keys.shape(1))),
      states(zeros(source.states.shape(0), source.states.shape(1))),
      v(zeros(attention.is_additive() ? source.sentences() : 0, attention.projected_size_)) {}

void Attention::read_backward(simd::Executor& executor, const Matrix& keys, const SourceStates& source,
                              const std::size_t* sentence_of_row, MatrixView query, MatrixView projected,
                              MatrixView weights, MatrixView dcontext, MutableMatrixView dprojected,
                              MutableMatrixView dquery, Gradient& gradient) const {
    const simd::Stage stage(executor, "attention backward");
    const Matrix& read_keys = keys_or_states(keys, source);
    Matrix& dkeys = states_are_keys() ? gradient.states : gradient.keys;
    const std::size_t key_size = read_keys.shape(1);
    const std::size_t state_size = source.states.shape(1);

    Matrix denergies({query.rows, weights.columns});  // [R, S]
    for_rows(executor, query.rows, weights.columns * (12 * key_size + 2 * state_size), [&](std::size_t r) {
        const std::size_t sentence = sentence_of_row[r];
        const std::size_t length = source.length(sentence);
        const std::size_t first = source.first[sentence];
        const float* alpha = weights.data + r * weights.stride;
        const float* dc = dcontext.data + r * dcontext.stride;
        float* de = row(denergies, r);

        simd::add_outer(alpha, dc, row(gradient.states, first), length, state_size);
        simd::rows_dot(row(source.states, first), dc, 1.0F, de, length, state_size);  // dalpha
        simd::softmax_backward(alpha, de, de, length);
        if (is_additive()) {
            float* dp = dprojected.data + r * dprojected.stride;
            std::fill(dp, dp + key_size, 0.0F);
            simd::additive_energies_backward(row(read_keys, first), projected.data + r * projected.stride, v_.data(),
                                             de, row(dkeys, first), dp, row(gradient.v, sentence), length, key_size);
        } else {
            simd::scale(scale_, de, length);
            simd::add_outer(de, query.data + r * query.stride, row(dkeys, first), length, key_size);
            simd::weighted_sum(de, row(read_keys, first), dquery.data + r * dquery.stride, length, key_size, true);
        }
    });
    if (is_additive()) query_side_.backward(executor, dprojected, dquery, Update::add);
}

void Attention::finish_backward(simd::Executor& executor, const SourceStates& source, MatrixView queries,
                                MatrixView dprojected, Gradient& gradient, AttentionParameters& parameters) const {
    const simd::Stage stage(executor, "attention backward");
    if (!key_side_.empty()) key_side_.backward(executor, view(gradient.keys), view(gradient.states), Update::add);
    const std::size_t query_size = queries.columns;
    switch (score_) {
        case Score::additive:
            key_side_.weight_gradient(executor, view(gradient.keys), view(source.states), view(parameters.Wh));
            query_side_.weight_gradient(executor, dprojected, queries, view(parameters.Ws));
            break;
        case Score::concat: {
            MutableMatrixView W = view(parameters.W);
            key_side_.weight_gradient(executor, view(gradient.keys), view(source.states),
                                      W.columns_from(query_size, W.columns - query_size));
            query_side_.weight_gradient(executor, dprojected, queries, W.columns_from(0, query_size));
            break;
        }
        case Score::general:
            key_side_.weight_gradient(executor, view(source.states), view(gradient.keys), view(parameters.W));
            break;
        case Score::dot:
        case Score::scaled_dot:
        case Score::none:
            break;
    }
    for (std::size_t b = 0; b < gradient.v.shape(0); ++b) {
        simd::add(row(gradient.v, b), parameters.v.data(), projected_size_);
    }
}

AttentionDiagnosis diagnose(MatrixView weights, std::size_t length) {
    AttentionDiagnosis result;
    for (std::size_t t = 0; t < weights.rows; ++t) {
        const float* alpha = weights.data + t * weights.stride;
        double sum = 0;
        for (std::size_t i = 0; i < length; ++i) sum += alpha[i];
        const auto error = static_cast<float>(std::abs(sum - 1.0));
        // A sum that is not a number is as unsound as can be.
        result.largest_sum_error = error >= 0 ? std::max(result.largest_sum_error, error) : INFINITY;
        for (std::size_t i = length; i < weights.columns; ++i) {
            result.largest_padding_weight = std::max(result.largest_padding_weight, std::abs(alpha[i]));
        }
    }
    return result;
}

}  // namespace softalign
