#include "core/model/context_products.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "core/simd/kernels.hpp"
#include "tests/catch.hpp"

using namespace softalign;
using simd::Update;

namespace {

Matrix random_matrix(std::size_t rows, std::size_t columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    Matrix matrix({rows, columns});
    std::generate(matrix.begin(), matrix.end(), [&] { return uniform(generator); });
    return matrix;
}

constexpr std::size_t kBefore = 3;
constexpr std::size_t kState = 40;
constexpr std::size_t kAfter = 2;
constexpr std::size_t kOutputs = 21;

/// Sentences of these lengths, and rows that have read them.
struct Readings {
    SourceStates source;
    std::vector<std::size_t> sentence_of_row;
    Matrix alpha;  // [R, S]
    Matrix x;      // [R, before + K + after]

    Readings(const std::vector<std::size_t>& lengths, std::vector<std::size_t> sentences)
        : sentence_of_row(std::move(sentences)) {
        source.first = {0};
        for (const std::size_t length : lengths) source.first.push_back(source.first.back() + length);
        source.states = random_matrix(source.first.back(), kState, 1);
        alpha = zeros(sentence_of_row.size(), source.longest());
        x = random_matrix(sentence_of_row.size(), kBefore + kState + kAfter, 2);
        const Matrix energies = random_matrix(alpha.shape(0), alpha.shape(1), 3);
        for (std::size_t r = 0; r < sentence_of_row.size(); ++r) {
            const std::size_t sentence = sentence_of_row[r];
            const std::size_t length = source.length(sentence);
            std::copy_n(row(energies, r), length, row(alpha, r));
            simd::softmax(row(alpha, r), length);
            simd::weighted_sum(row(alpha, r), row(source.states, source.first[sentence]), row(x, r) + kBefore, length,
                               kState, false);
        }
    }

    Matrix products(const JoinedProjection& weights, const Vector& bias) const {
        simd::SerialExecutor executor;
        const ContextProducts products(executor, source, weights, {kBefore, kState});
        Matrix y({sentence_of_row.size(), kOutputs});
        products.forward(executor, weights, {sentence_of_row.data(), view(alpha)},
                         {view(x), view(y), Update::replace, &bias});
        return y;
    }
};

JoinedProjection random_weights() {
    simd::SerialExecutor executor;
    JoinedProjection weights;
    weights.set({executor, Passes::forward, simd::Precision::f32},
                random_matrix(kOutputs, kBefore + kState + kAfter, 4), 0, {kBefore, kState, kAfter});
    return weights;
}

}  // namespace

TEST_CASE("weighted products of source states are the products of the contexts, whether a sentence is short or long") {
    simd::SerialExecutor executor;
    const JoinedProjection weights = random_weights();
    const Vector bias({kOutputs}, 0.5F);
    const Readings readings({3, 25, 10, 1, 11}, {0, 1, 1, 2, 3, 4, 0});
    Matrix expected({readings.sentence_of_row.size(), kOutputs});
    weights.forward(executor, view(readings.x), view(expected), Update::replace, &bias);
    const Matrix actual = readings.products(weights, bias);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        REQUIRE(actual.data()[i] == Approx(expected.data()[i]).margin(1e-5));
    }
}

TEST_CASE("a context's product is the same bits whichever sentences are read beside its own") {
    const JoinedProjection weights = random_weights();
    const Vector bias({kOutputs}, 0.5F);
    // The first sentence of each, whose states and words are the same.
    const Matrix together = Readings({7, 25, 10}, {0, 1, 2}).products(weights, bias);
    const Matrix alone = Readings({7}, {0}).products(weights, bias);
    CHECK(std::memcmp(row(together, 0), row(alone, 0), kOutputs * sizeof(float)) == 0);
}
