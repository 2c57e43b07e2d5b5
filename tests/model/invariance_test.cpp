#include "core/error.hpp"
#include "core/model/teacher_forcing.hpp"
#include "core/nn/quantize.hpp"
#include "core/search/search.hpp"
#include "tests/catch.hpp"
#include "tests/model/tiny_models.hpp"
#include "tests/simd/instruction_sets.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

bool same_bits(const ForcedDecoding& a, const ForcedDecoding& b) {
    return a.log_probabilities == b.log_probabilities && a.predicted == b.predicted && a.logits == b.logits &&
           a.alignment == b.alignment;
}

bool same_bits(const Hypothesis& a, const Hypothesis& b) {
    return a.ids == b.ids && a.score == b.score && a.log_probability == b.log_probability && a.alignment == b.alignment;
}

}  // namespace

TEST_CASE("a sentence alone equals the sentence in a batch, bit for bit") {
    simd::SerialExecutor executor;
    for (Configuration configuration : tiny_configurations()) {
        configuration.tgt_vocab = 133;  // more than one panel of every instruction set
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 5);
        const Seq2Seq model(configuration, share(parameters));
        const Batch all = random_batch(configuration, 64, 9, 17);
        SearchOptions beam;
        beam.beam = 3;
        beam.nbest = 3;

        std::vector<ForcedDecoding> alone;
        std::vector<Hypothesis> translated_alone;
        for (std::size_t b = 0; b < all.sources.size(); ++b) {
            alone.push_back(forced_decode(executor, model, {all.sources[b]}, {all.targets[b]}, true).front());
            translated_alone.push_back(search(model, executor, {all.sources[b]}, beam).front().front());
        }
        for (const std::size_t size : {2U, 7U, 64U}) {
            for (std::size_t first = 0; first + size <= all.sources.size(); first += size) {
                const auto begin = static_cast<std::ptrdiff_t>(first);
                const auto end = static_cast<std::ptrdiff_t>(first + size);
                const std::vector<std::vector<int>> sources(all.sources.begin() + begin, all.sources.begin() + end);
                const std::vector<std::vector<int>> targets(all.targets.begin() + begin, all.targets.begin() + end);
                const auto together = forced_decode(executor, model, sources, targets, true);
                const auto translated = search(model, executor, sources, beam);
                for (std::size_t b = 0; b < size; ++b) {
                    REQUIRE(same_bits(together[b], alone[first + b]));
                    REQUIRE(same_bits(translated[b].front(), translated_alone[first + b]));
                }
            }
        }
    }
}

TEST_CASE("the number of workers and the order of their tasks change no bit of a translation") {
    simd::SerialExecutor serial;
    ReversedExecutor reversed(5);
    for (Configuration configuration : tiny_configurations()) {
        configuration.tgt_vocab = 1000;
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 6);
        const Seq2Seq model(configuration, share(parameters));
        const Batch batch = random_batch(configuration, 20, 12, 3);
        const auto a = forced_decode(serial, model, batch.sources, batch.targets, true);
        const auto b = forced_decode(reversed, model, batch.sources, batch.targets, true);
        for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(same_bits(a[i], b[i]));
    }
}

TEST_CASE("a model with int8 weights says the same in int8 products as in floats, and alone as in a batch") {
    simd::SerialExecutor executor;
    for (Configuration configuration : tiny_configurations()) {
        configuration.tgt_vocab = 133;
        INFO(describe(configuration));
        const QuantizedParameters stored = quantized(decided_parameters(configuration, 5), configuration);
        const auto parameters = floats_of(share(stored), configuration);
        const Seq2Seq floats(configuration, parameters);
        const Seq2Seq integers(configuration, share(stored));
        const Batch batch = random_batch(configuration, 7, 9, 17);
        const auto expected = forced_decode(executor, floats, batch.sources, batch.targets, true);
        const auto actual = forced_decode(executor, integers, batch.sources, batch.targets, true);
        for (std::size_t b = 0; b < batch.sources.size(); ++b) {
            for (std::size_t i = 0; i < expected[b].logits.size(); ++i) {
                REQUIRE(actual[b].logits.data()[i] == Approx(expected[b].logits.data()[i]).margin(2e-3));
            }
            const auto alone = forced_decode(executor, integers, {batch.sources[b]}, {batch.targets[b]}, true);
            REQUIRE(same_bits(alone.front(), actual[b]));
        }
    }
}

TEST_CASE("a model with int8 weights gives the same bits on every instruction set") {
    simd::SerialExecutor executor;
    for (Configuration configuration : tiny_configurations()) {
        configuration.tgt_vocab = 133;
        INFO(describe(configuration));
        const QuantizedParameters stored = quantized(decided_parameters(configuration, 5), configuration);
        const Batch batch = random_batch(configuration, 7, 9, 17);
        std::vector<std::vector<ForcedDecoding>> results;
        tests::for_each_instruction_set([&] {
            const Seq2Seq model(configuration, share(stored));
            results.push_back(forced_decode(executor, model, batch.sources, batch.targets, true));
            for (std::size_t b = 0; b < batch.sources.size(); ++b) {
                REQUIRE(same_bits(results.back()[b], results.front()[b]));
            }
        });
    }
}

TEST_CASE("a model refuses ids outside its vocabularies and sentences without words") {
    simd::SerialExecutor executor;
    const Configuration configuration = tiny_configurations().front();
    const Parameters parameters = initial_parameters(configuration, 1);
    const Seq2Seq model(configuration, share(parameters));
    CHECK_THROWS_AS(model.encode(executor, {{}}), UsageError);
    CHECK_THROWS_AS(model.encode(executor, {{4, 11}}), UsageError);
    CHECK_THROWS_AS(model.encode(executor, {{-1}}), UsageError);
    CHECK_THROWS_AS(forced_decode(executor, model, {{4}}, {{BOS}}), UsageError);
    CHECK_THROWS_AS(forced_decode(executor, model, {{4}}, {{BOS, 9, EOS}}), UsageError);
}
