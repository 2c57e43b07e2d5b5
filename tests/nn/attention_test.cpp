#include "core/nn/attention.hpp"

#include <cmath>
#include <limits>

#include "core/nn/random.hpp"
#include "core/simd/kernels.hpp"
#include "tests/catch.hpp"

using namespace softalign;

namespace {

constexpr std::size_t kState = 6;
constexpr std::size_t kUnits = 5;

Matrix random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    const RandomStream random(seed, RandomUse::initial_weights, 0);
    Matrix result({rows, columns});
    for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = static_cast<float>(4 * random.uniform(i) - 2);
    return result;
}

AttentionParameters parameters_of(Score score) {
    AttentionParameters parameters;
    if (score == Score::additive) {
        parameters.Wh = random_matrix(kUnits, kState, 1);
        parameters.Ws = random_matrix(kUnits, kState, 2);
    }
    if (score == Score::concat) parameters.W = random_matrix(kUnits, 2 * kState, 3);
    if (score == Score::general) parameters.W = random_matrix(kState, kState, 4);
    if (kind(score).has_units) parameters.v = random_matrix(1, kUnits, 5);
    return parameters;
}

struct Read {
    Matrix weights;
    Matrix context;
};

// One query for each of the sentences; the outputs are full of garbage before.
Read read_all(Score score, const SourceStates& source, const Matrix& query) {
    simd::SerialExecutor executor;
    Attention attention;
    attention.set({executor, Passes::forward, simd::Precision::f32}, score, {kState, kState, kUnits},
                  parameters_of(score));
    const Matrix keys = attention.keys(executor, source);
    const float garbage = std::numeric_limits<float>::quiet_NaN();
    Read read{Matrix({query.shape(0), source.longest()}, garbage), Matrix({query.shape(0), kState}, garbage)};
    Matrix projected({query.shape(0), kind(score).has_units ? kUnits : 0}, garbage);
    std::vector<std::size_t> sentence_of_row(query.shape(0));
    for (std::size_t r = 0; r < sentence_of_row.size(); ++r) sentence_of_row[r] = r;
    attention.read({executor, source, keys}, {view(query), sentence_of_row.data()},
                   {view(projected), view(read.weights), view(read.context)}, nullptr);
    return read;
}

const std::vector<Score> kAttending = {Score::additive, Score::concat, Score::general, Score::dot, Score::scaled_dot};

// Three sentences of 4, 7 and 2 positions.
SourceStates three_sentences() {
    return {random_matrix(13, kState, 9), {0, 4, 11, 13}};
}

}  // namespace

TEST_CASE("a padded position gets no weight") {
    for (const Score score : kAttending) {
        const Read read = read_all(score, three_sentences(), random_matrix(3, kState, 8));
        for (std::size_t s = 4; s < 7; ++s) CHECK(read.weights(0, s) == 0.0F);
        for (std::size_t s = 2; s < 7; ++s) CHECK(read.weights(2, s) == 0.0F);
    }
}

TEST_CASE("garbage in other sentences' slots changes nothing") {
    for (const Score score : kAttending) {
        const Matrix query = random_matrix(3, kState, 8);
        const Read clean = read_all(score, three_sentences(), query);
        SourceStates dirty = three_sentences();
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t k = 0; k < kState; ++k) dirty.states(i, k) = 1e30F;
        }
        for (std::size_t k = 0; k < kState; ++k) dirty.states(12, k) = -1e30F;
        const Read read = read_all(score, dirty, query);
        for (std::size_t s = 0; s < 7; ++s) CHECK(read.weights(1, s) == clean.weights(1, s));
        for (std::size_t k = 0; k < kState; ++k) CHECK(read.context(1, k) == clean.context(1, k));
    }
}

TEST_CASE("a row of weights sums to one over the source, and the context is the blend of the states") {
    for (const Score score : kAttending) {
        const SourceStates source = three_sentences();
        const Read read = read_all(score, source, random_matrix(3, kState, 8));
        for (std::size_t b = 0; b < 3; ++b) {
            const AttentionDiagnosis diagnosis = diagnose(view(read.weights).rows_from(b, 1), source.length(b));
            CHECK(diagnosis.sound());
            for (std::size_t k = 0; k < kState; ++k) {
                double blend = 0;
                for (std::size_t s = 0; s < source.length(b); ++s) {
                    blend += static_cast<double>(read.weights(b, s)) * source.states(source.first[b] + s, k);
                }
                CHECK(read.context(b, k) == Approx(blend).margin(1e-6));
            }
        }
    }
}

TEST_CASE("a softmax over the target steps instead of the source is diagnosed") {
    Matrix energies = random_matrix(5, 7, 4);  // [T, S]
    Matrix right = energies;
    for (std::size_t t = 0; t < 5; ++t) simd::softmax(row(right, t), 7);
    CHECK(diagnose(view(right), 7).sound());

    Matrix transposed = xt::transpose(energies);  // [S, T]
    for (std::size_t s = 0; s < 7; ++s) simd::softmax(row(transposed, s), 5);
    const Matrix wrong = xt::transpose(transposed);  // columns sum to one, rows do not
    const AttentionDiagnosis diagnosis = diagnose(view(wrong), 7);
    CHECK_FALSE(diagnosis.sound());
    CHECK(diagnosis.largest_sum_error > 0.01F);
}

TEST_CASE("weights past a sentence's end and weights that are no numbers are diagnosed") {
    Matrix weights = zeros(1, 3);
    weights(0, 0) = 1.0F;
    CHECK(diagnose(view(weights), 2).sound());
    weights(0, 2) = 1e-6F;
    CHECK_FALSE(diagnose(view(weights), 2).sound());
    weights(0, 2) = 0.0F;
    weights(0, 1) = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(diagnose(view(weights), 2).sound());
}

TEST_CASE("the lesson's additive energies and weights come out") {
    // States (1,0), (0,1), (1,1), query (0.5, 0.5), Wh = Ws = identity, v = (1,1).
    const SourceStates source{Matrix{{1, 0}, {0, 1}, {1, 1}}, {0, 3}};
    AttentionParameters parameters;
    parameters.Wh = parameters.Ws = Matrix{{1, 0}, {0, 1}};
    parameters.v = Matrix{{1, 1}};
    simd::SerialExecutor executor;
    Attention attention;
    attention.set({executor, Passes::forward, simd::Precision::f32}, Score::additive, {2, 2, 2}, parameters);
    const Matrix query{{0.5F, 0.5F}};
    Matrix projected({1, 2});
    Matrix weights({1, 3});
    Matrix context({1, 2});
    const std::size_t sentence = 0;
    attention.read({executor, source, attention.keys(executor, source)}, {view(query), &sentence},
                   {view(projected), view(weights), view(context)}, nullptr);
    CHECK(weights(0, 0) == Approx(0.281).margin(5e-4));
    CHECK(weights(0, 1) == Approx(0.281).margin(5e-4));
    CHECK(weights(0, 2) == Approx(0.438).margin(5e-4));
    CHECK(context(0, 0) == Approx(0.719).margin(5e-4));
    CHECK(context(0, 1) == Approx(0.719).margin(5e-4));
}
