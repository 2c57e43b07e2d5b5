#include "core/train/training.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/model/tiny_models.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

TrainingOptions everything_random() {
    TrainingOptions options;
    options.label_smoothing = 0.1F;
    options.embedding_dropout = 0.2F;
    options.layer_dropout = 0.2F;
    options.output_dropout = 0.3F;
    options.word_dropout = 0.1F;
    options.teacher_forcing = 0.8F;
    return options;
}

std::vector<float> flat(Parameters parameters, const Configuration& configuration) {
    std::vector<float> values;
    for (const NamedTensor& tensor : named_tensors(parameters, configuration)) {
        values.insert(values.end(), tensor.data, tensor.data + tensor.size);
    }
    return values;
}

void run(Training& training, const Configuration& configuration, simd::Executor& executor, std::uint64_t from,
         std::uint64_t to) {
    for (std::uint64_t step = from; step < to; ++step) {
        training.step(executor, random_batch(configuration, 8, 6, step), 0.01F);
    }
}

struct CopyRun {
    double first_loss = 0;
    double last_accuracy = 0;
};

CopyRun train_to_copy(simd::Precision products, std::uint64_t steps = 400) {
    Configuration configuration;
    configuration.src_vocab = configuration.tgt_vocab = 12;
    configuration.embed = 16;
    configuration.enc_hidden = configuration.dec_hidden = 32;
    configuration.attn = 16;
    TrainingOptions options;
    options.products = products;
    Training training(configuration, options);
    simd::SerialExecutor executor;
    CopyRun result;
    for (std::uint64_t step = 0; step < steps; ++step) {
        Batch batch = random_batch(configuration, 32, 5, step);
        for (std::size_t b = 0; b < batch.sources.size(); ++b) {
            batch.targets[b] = batch.sources[b];
            batch.targets[b].insert(batch.targets[b].begin(), BOS);
            batch.targets[b].push_back(EOS);
        }
        const BatchLoss said = training.step(executor, batch, 0.01F).batch;
        if (step == 0) result.first_loss = said.loss;
        result.last_accuracy = said.accuracy;
    }
    return result;
}

}  // namespace

TEST_CASE("20 steps give the same parameters for any number of workers, and for 10 steps, a pause and 10 more") {
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        simd::SerialExecutor serial;
        ReversedExecutor reversed(2);
        Training whole(configuration, everything_random());
        Training with_workers(configuration, everything_random());
        Training first_half(configuration, everything_random());
        run(whole, configuration, serial, 0, 20);
        run(with_workers, configuration, reversed, 0, 20);
        run(first_half, configuration, serial, 0, 10);
        Training resumed(configuration, everything_random(), *first_half.parameters(), first_half.state());
        run(resumed, configuration, serial, 10, 20);
        const std::vector<float> expected = flat(*whole.parameters(), configuration);
        CHECK(flat(*with_workers.parameters(), configuration) == expected);
        CHECK(flat(*resumed.parameters(), configuration) == expected);
        CHECK(flat(resumed.state().v, configuration) == flat(whole.state().v, configuration));
    }
}

TEST_CASE("a model learns to copy short sequences") {
    CHECK(train_to_copy(simd::Precision::f32).last_accuracy > 0.98);
}

TEST_CASE("products in bf16 start from nearly the same loss and learn to copy as well") {
    if (!simd::has_bf16()) {
        WARN("this processor has no products in bf16: not tested");
        return;
    }
    const CopyRun rounded = train_to_copy(simd::Precision::bf16);
    CHECK(rounded.first_loss != train_to_copy(simd::Precision::f32, 1).first_loss);
    CHECK(rounded.first_loss == Approx(train_to_copy(simd::Precision::f32, 1).first_loss).margin(0.01));
    CHECK(rounded.last_accuracy > 0.98);
}

TEST_CASE("with products in bf16, 20 steps give the same parameters for any number of workers") {
    if (!simd::has_bf16()) {
        WARN("this processor has no products in bf16: not tested");
        return;
    }
    TrainingOptions options = everything_random();
    options.products = simd::Precision::bf16;
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        simd::SerialExecutor serial;
        ReversedExecutor reversed(2);
        Training alone(configuration, options);
        Training with_workers(configuration, options);
        run(alone, configuration, serial, 0, 20);
        run(with_workers, configuration, reversed, 0, 20);
        CHECK(flat(*with_workers.parameters(), configuration) == flat(*alone.parameters(), configuration));
    }
}

TEST_CASE("a step whose gradient is not finite changes nothing") {
    const Configuration configuration = tiny_configurations()[1];
    Parameters poisoned = initial_parameters(configuration, 1);
    poisoned.head.bias(UNK) = INFINITY;
    simd::SerialExecutor executor;
    Training training(configuration, TrainingOptions(), poisoned,
                      {Parameters::zeros(configuration), Parameters::zeros(configuration), 0});
    const StepResult result = training.step(executor, random_batch(configuration, 4, 4, 1), 0.1F);
    CHECK_FALSE(std::isfinite(result.gradient_norm));
    CHECK(flat(*training.parameters(), configuration) == flat(poisoned, configuration));
    CHECK(training.state().steps == 0);
}

TEST_CASE("dropout keeps about the share it should and scales what it keeps") {
    const Dropout dropout(0.25F, RandomStream(1, RandomUse::output_dropout, 0));
    simd::SerialExecutor executor;
    Matrix values({200, 101}, 1.0F);
    dropout.apply(executor, view(values));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values.data()[i] == 0.0F) continue;
        CHECK(values.data()[i] == Approx(4.0 / 3.0));
        ++kept;
    }
    CHECK(static_cast<double>(kept) / static_cast<double>(values.size()) == Approx(0.75).margin(0.01));
    Matrix part({50, 101}, 1.0F);
    dropout.apply(executor, view(part), 100);  // the same mask, wherever the rows are held
    for (std::size_t r = 0; r < 50; ++r) {
        for (std::size_t c = 0; c < 101; ++c) REQUIRE(part(r, c) == values(100 + r, c));
    }
}
