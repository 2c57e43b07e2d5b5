#include "core/search/imposed.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/search/decoding_steps.hpp"
#include "core/search/search.hpp"
#include "core/simd/kernels.hpp"
#include "tests/catch.hpp"
#include "tests/model/tiny_models.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

const std::vector<int> kSource = {4, 7, 5, 6};
const std::vector<float> kOnlyTheLast = {0, 0, 0, 1};

std::vector<float> alignment_row(const Hypothesis& hypothesis, std::size_t step) {
    const float* first = row(hypothesis.alignment, step);
    return {first, first + hypothesis.alignment.shape(1)};
}

std::size_t depth(const std::vector<SearchNode>& tree, std::size_t node) {
    std::size_t depth = 1;
    for (; tree[node].parent != node; node = tree[node].parent) ++depth;
    return depth;
}

}  // namespace

TEST_CASE("every hypothesis begins with the imposed words, and what they already were changes nothing") {
    simd::SerialExecutor executor;
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 4);
        const Seq2Seq model(configuration, share(parameters));
        for (const std::size_t beam : {1U, 3U}) {
            SearchOptions options;
            options.beam = options.nbest = beam;
            const Hypothesis own = search(model, executor, {kSource}, options).front().front();
            options.imposed.words = {own.ids.begin(),
                                     own.ids.begin() + static_cast<std::ptrdiff_t>(own.ids.size() / 2)};
            const Hypothesis again = search(model, executor, {kSource}, options).front().front();
            if (beam == 1) {
                CHECK(again.ids == own.ids);
                CHECK(again.alignment == own.alignment);
                CHECK(again.step_log_probabilities == own.step_log_probabilities);
            }
            options.imposed.words = {8, 4};
            const auto others = search(model, executor, {kSource}, options);
            for (const Hypothesis& hypothesis : others.front()) {
                REQUIRE(hypothesis.ids.size() > 2);
                CHECK(hypothesis.ids[0] == 8);
                CHECK(hypothesis.ids[1] == 4);
            }
        }
    }
}

TEST_CASE("an imposed end of the sentence ends it") {
    simd::SerialExecutor executor;
    const Configuration configuration = tiny_configurations()[1];
    const Parameters parameters = decided_parameters(configuration, 4);
    SearchOptions options;
    options.beam = 2;
    options.imposed.words = {5, EOS};
    const auto found = search(Seq2Seq(configuration, share(parameters)), executor, {kSource}, options).front();
    REQUIRE(found.size() == 1);
    CHECK(found.front().ids == options.imposed.words);
    CHECK(found.front().finished);
}

TEST_CASE("imposed weights are read at their step alone, and change what is written from there on") {
    simd::SerialExecutor executor;
    for (const Configuration& configuration : tiny_configurations()) {
        if (configuration.style == Style::none) continue;
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 4);
        const Seq2Seq model(configuration, share(parameters));
        SearchOptions options;
        options.imposed.words = {8, 4, 5};  // so that there is a step after the imposed one
        const Hypothesis own = search(model, executor, {kSource}, options).front().front();
        options.imposed.weights[1] = kOnlyTheLast;
        const Hypothesis other = search(model, executor, {kSource}, options).front().front();
        CHECK(alignment_row(other, 0) == alignment_row(own, 0));
        CHECK(alignment_row(other, 1) == kOnlyTheLast);
        CHECK(other.step_log_probabilities[0] == own.step_log_probabilities[0]);
        CHECK(other.step_log_probabilities[1] != own.step_log_probabilities[1]);
        // Without input feeding a luong step hands nothing of what it read to the next.
        const bool remembers = kind(configuration.style).reads_context || configuration.input_feeding;
        CHECK((other.step_log_probabilities[2] != own.step_log_probabilities[2]) == remembers);

        options.imposed.weights[1] = alignment_row(own, 1);
        CHECK(search(model, executor, {kSource}, options).front().front().step_log_probabilities[2] ==
              Approx(own.step_log_probabilities[2]).margin(1e-5));
    }
}

TEST_CASE("what cannot be imposed is refused") {
    simd::SerialExecutor executor;
    const auto refuses = [&](const Configuration& configuration, const Imposed& imposed) {
        const Parameters parameters = decided_parameters(configuration, 4);
        const Seq2Seq model(configuration, share(parameters));
        SearchOptions options;
        options.max_length = 4;
        options.imposed = imposed;
        CHECK_THROWS_AS(search(model, executor, {kSource}, options), UsageError);
    };
    const Configuration attends = tiny_configurations()[1];
    for (const std::vector<int>& prefix :
         std::vector<std::vector<int>>{{PAD}, {BOS}, {-1}, {9}, {EOS, 4}, {4, 4, 4, 4, 4}}) {
        refuses(attends, {prefix, {}});
    }
    const float infinite = std::numeric_limits<float>::infinity();
    for (const std::vector<float>& weights : std::vector<std::vector<float>>{{},
                                                                             {1},
                                                                             {0, 0, 0, 0, 1},
                                                                             {0, 0, 0, 0},
                                                                             {2, -1, 0, 0},
                                                                             {1, 1, 0, 0},
                                                                             {NAN, 0, 0, 1},
                                                                             {infinite, 0, 0, 0}}) {
        refuses(attends, {{}, {{0, weights}}});
    }
    refuses(tiny_configurations()[0], {{}, {{0, kOnlyTheLast}}});
}

TEST_CASE("the tree has every hypothesis, from its first word to its leaf, and what was dropped") {
    simd::SerialExecutor executor;
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 4);
        const Seq2Seq model(configuration, share(parameters));
        SearchOptions options;
        options.beam = options.nbest = 3;
        Search both(model, executor, {kSource, {8}}, options);
        while (both.advance()) {
        }
        const auto found = both.hypotheses();
        const std::vector<std::vector<SearchNode>> trees = both.trees();
        REQUIRE(trees.size() == 2);
        for (std::size_t sentence = 0; sentence < 2; ++sentence) {
            const std::vector<SearchNode>& tree = trees[sentence];
            for (std::size_t n = 0; n < tree.size(); ++n) CHECK(tree[n].parent <= n);
            for (const Hypothesis& hypothesis : found[sentence]) {
                std::size_t node = hypothesis.leaf;
                CHECK(tree[node].score == hypothesis.score);
                CHECK(depth(tree, node) == hypothesis.ids.size());
                for (std::size_t t = hypothesis.ids.size(); t-- > 0; node = tree[node].parent) {
                    CHECK(tree[node].id == hypothesis.ids[t]);
                    CHECK(tree[node].log_probability == hypothesis.step_log_probabilities[t]);
                }
            }
        }
    }
}

TEST_CASE("the steps of a translation are those of the search that found it") {
    simd::SerialExecutor executor;
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 4);
        const Seq2Seq model(configuration, share(parameters));
        const bool attends = configuration.style != Style::none;
        SearchOptions options;
        options.imposed.words = {8, 4};
        if (attends) options.imposed.weights[1] = kOnlyTheLast;
        const Hypothesis found = search(model, executor, {kSource}, options).front().front();
        const auto steps = decoding_steps(executor, model, kSource, {found.ids, options.imposed.weights}, 3);
        REQUIRE(steps.size() == found.ids.size());
        for (std::size_t t = 0; t < steps.size(); ++t) {
            const auto& likeliest = steps[t].likeliest;
            REQUIRE(likeliest.size() == 3);
            CHECK(likeliest[0].log_probability >= likeliest[1].log_probability);
            CHECK(likeliest[1].log_probability >= likeliest[2].log_probability);
            if (t >= 2) {
                CHECK(likeliest[0].id == found.ids[t]);
                CHECK(likeliest[0].log_probability == found.step_log_probabilities[t]);
            }
            CHECK(steps[t].weights == alignment_row(found, t));
            if (!attends) continue;
            std::vector<float> softmax = steps[t].energies;
            simd::softmax(softmax.data(), softmax.size());
            CHECK((softmax == steps[t].weights) == (t != 1));
        }
    }
}
