#include "core/search/search.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/model/teacher_forcing.hpp"
#include "tests/catch.hpp"
#include "tests/model/tiny_models.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

struct Enumerated {
    std::vector<int> ids;
    double score;
};

// Every sequence of at most `max_length` symbols that ends with EOS, best first, scored by forced decoding.
std::vector<Enumerated> enumerate(const Seq2Seq& model, const std::vector<int>& source, std::size_t max_length,
                                  double length_penalty) {
    simd::SerialExecutor executor;
    const auto vocabulary = static_cast<int>(model.configuration().tgt_vocab);
    std::vector<std::vector<int>> open = {{}};
    std::vector<Enumerated> all;
    for (std::size_t length = 1; length <= max_length; ++length) {
        std::vector<std::vector<int>> longer;
        for (const auto& beginning : open) {
            std::vector<int> target = beginning;
            target.insert(target.begin(), BOS);
            target.push_back(EOS);
            const Matrix logits = forced_decode(executor, model, {source}, {target}, true).front().logits;
            double total = 0;
            for (std::size_t t = 0; t + 1 < target.size(); ++t) {
                double sum = 0;  // PAD and BOS are never produced, so they have no share
                for (int id = EOS; id < vocabulary; ++id)
                    sum += std::exp(static_cast<double>(logits(t, static_cast<std::size_t>(id))));
                total += static_cast<double>(logits(t, static_cast<std::size_t>(target[t + 1]))) - std::log(sum);
            }
            target.erase(target.begin());
            all.push_back({target, total / std::pow(static_cast<double>(length), length_penalty)});
            for (int id = UNK; id < vocabulary; ++id) {
                longer.push_back(beginning);
                longer.back().push_back(id);
            }
        }
        open = std::move(longer);
    }
    std::sort(all.begin(), all.end(), [](const Enumerated& a, const Enumerated& b) { return a.score > b.score; });
    return all;
}

// At every step the likeliest word that a search may produce.
std::vector<int> most_likely_words(const Matrix& logits) {
    std::vector<int> words;
    for (std::size_t t = 0; t < logits.shape(0); ++t) {
        const float* first = row(logits, t) + EOS;
        words.push_back(EOS + static_cast<int>(std::max_element(first, row(logits, t) + logits.shape(1)) - first));
    }
    return words;
}

}  // namespace

TEST_CASE("beam search with room for every hypothesis equals brute-force enumeration") {
    simd::SerialExecutor executor;
    for (Configuration configuration : tiny_configurations()) {
        configuration.tgt_vocab = 6;
        INFO(describe(configuration));
        for (const std::uint64_t seed : {1U, 2U}) {
            const Parameters parameters = decided_parameters(configuration, seed);
            const Seq2Seq model(configuration, share(parameters));
            const std::vector<int> source = {4, 7, 5};
            for (const float length_penalty : {0.0F, 0.6F, 1.0F, 2.0F, -0.5F}) {
                INFO("length penalty " << length_penalty);
                SearchOptions options;
                options.beam = 300;
                options.nbest = 5;
                options.length_penalty = length_penalty;
                options.max_length = 4;
                const auto found = search(model, executor, {source}, options).front();
                const auto expected = enumerate(model, source, options.max_length, static_cast<double>(length_penalty));
                REQUIRE(found.size() == 5);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    CHECK(found[i].ids == expected[i].ids);
                    CHECK(found[i].score == Approx(expected[i].score).epsilon(1e-4));
                }
            }
        }
    }
}

TEST_CASE("a beam of one is greedy search, and every hypothesis carries its own alignment") {
    simd::SerialExecutor executor;
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 4);
        const Seq2Seq model(configuration, share(parameters));
        const std::vector<std::vector<int>> sources = {{4, 5, 6, 7}, {8}};
        for (const std::size_t beam : {1U, 4U}) {
            SearchOptions options;
            options.beam = beam;
            options.nbest = beam;
            const auto found = search(model, executor, sources, options);
            for (std::size_t sentence = 0; sentence < sources.size(); ++sentence) {
                CHECK(found[sentence].size() == beam);
                for (const Hypothesis& hypothesis : found[sentence]) {
                    std::vector<int> target = hypothesis.ids;
                    target.insert(target.begin(), BOS);
                    const ForcedDecoding forced =
                        forced_decode(executor, model, {sources[sentence]}, {target}, true).front();
                    CHECK(forced.alignment == hypothesis.alignment);
                    if (beam == 1) CHECK(most_likely_words(forced.logits) == hypothesis.ids);
                }
            }
        }
    }
}

TEST_CASE("special symbols are never produced and the length limit is kept") {
    simd::SerialExecutor executor;
    const Configuration configuration = tiny_configurations()[1];
    Parameters parameters = decided_parameters(configuration, 4);
    parameters.head.bias(PAD) = parameters.head.bias(BOS) = 100.0F;
    parameters.head.bias(EOS) = -100.0F;
    const Seq2Seq model(configuration, share(parameters));
    SearchOptions options;
    options.beam = 3;
    options.nbest = 3;
    const auto found = search(model, executor, {{4, 5, 6}}, options);
    for (const Hypothesis& hypothesis : found.front()) {
        CHECK_FALSE(hypothesis.finished);
        CHECK(hypothesis.ids.size() == 2 * 3 + 5);
        CHECK(std::count(hypothesis.ids.begin(), hypothesis.ids.end(), PAD) == 0);
        CHECK(std::count(hypothesis.ids.begin(), hypothesis.ids.end(), BOS) == 0);
    }
}

TEST_CASE("a source of a book's length gets fewer steps, so that its alignment stays in memory") {
    simd::SerialExecutor executor;
    const Configuration configuration = tiny_configurations().front();
    Parameters parameters = decided_parameters(configuration, 4);
    parameters.head.bias(EOS) = -100.0F;
    const Seq2Seq model(configuration, share(parameters));
    const std::vector<int> source(std::size_t{1} << 16U, 4);
    const auto found = search(model, executor, {source}, SearchOptions{});
    CHECK(found.front().front().ids.size() == (std::size_t{1} << 10U) + 1);
}

TEST_CASE("options that make no sense are refused") {
    simd::SerialExecutor executor;
    const Configuration configuration = tiny_configurations().front();
    const Parameters parameters = initial_parameters(configuration, 1);
    const Seq2Seq model(configuration, share(parameters));
    SearchOptions options;
    options.beam = 0;
    CHECK_THROWS_AS(search(model, executor, {{4}}, options), UsageError);
    options.beam = 2;
    options.nbest = 3;
    CHECK_THROWS_AS(search(model, executor, {{4}}, options), UsageError);
}

TEST_CASE("a source of more tokens than are allowed is refused, one of as many is not") {
    simd::SerialExecutor executor;
    const Configuration configuration = tiny_configurations().front();
    const Parameters parameters = initial_parameters(configuration, 1);
    const Seq2Seq model(configuration, share(parameters));
    SearchOptions options;
    options.max_source = 3;
    CHECK_NOTHROW(search(model, executor, {{4, 5, 4}}, options));
    CHECK_THROWS_AS(search(model, executor, {{4, 5}, {4, 5, 4, 5}}, options), UsageError);
}

TEST_CASE("a model whose scores overflow is refused, in floats and in 8 bits") {
    const Configuration configuration = tiny_configurations()[1];
    Parameters parameters = decided_parameters(configuration, 1);
    for (float& v : parameters.attention.v) v = v < 0 ? -3e38F : 3e38F;
    simd::SerialExecutor executor;
    const std::vector<std::vector<int>> sources = {{kSymbols, kSymbols + 1, kSymbols + 2}};
    CHECK_THROWS_AS(search(Seq2Seq(configuration, share(parameters)), executor, sources, SearchOptions()), Error);
    const QuantizedParameters stored = quantized(parameters, configuration);
    CHECK_THROWS_AS(search(Seq2Seq(configuration, share(stored)), executor, sources, SearchOptions()), Error);
}
