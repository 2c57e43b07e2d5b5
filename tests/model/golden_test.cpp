#include <set>

#include "core/model/teacher_forcing.hpp"
#include "core/search/search.hpp"
#include "core/train/training.hpp"
#include "tests/catch.hpp"
#include "tests/model/golden_case.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

constexpr double kForward = 1e-5;
constexpr double kGradient = 1e-4;

TrainingOptions options_of(const GoldenCase& golden) {
    TrainingOptions options;
    options.label_smoothing = golden.label_smoothing;
    options.adam = {golden.adam.beta1, golden.adam.beta2, golden.adam.epsilon, golden.adam.clip_norm};
    return options;
}

// Compares every parameter with tensors of the given prefix.
void compare(Parameters& actual, const GoldenCase& golden, const std::string& prefix, double tolerance) {
    for (const NamedTensor& tensor : named_tensors(actual, golden.configuration)) {
        INFO(prefix << tensor.name);
        const std::vector<float> expected = golden.floats(prefix + tensor.name);
        REQUIRE(expected.size() == tensor.size);
        CHECK(relative_difference(tensor.data, expected) <= tolerance);
    }
}

void check_forward(const GoldenCase& golden, simd::Executor& executor) {
    const Seq2Seq model(golden.configuration, share(golden.parameters));
    const std::vector<float> states = golden.floats("out.encoder");  // [B, S, K]
    const EncodedBatch batch = model.encode(executor, golden.sources);
    const std::size_t state_size = golden.configuration.source_size();
    const std::size_t padded = golden.shape("out.encoder")[1];
    std::vector<float> padded_states(states.size(), 0.0F);
    for (std::size_t b = 0; b < golden.sources.size(); ++b) {
        const Matrix& all = batch.encoded.source.states;
        std::copy_n(row(all, batch.encoded.source.first[b]), golden.sources[b].size() * state_size,
                    padded_states.data() + b * padded * state_size);
    }
    CHECK(relative_difference(padded_states.data(), states) <= kForward);

    const std::vector<ForcedDecoding> forced = forced_decode(executor, model, golden.sources, golden.targets, true);
    const std::vector<float> logits = golden.floats("out.logits");  // [B, T, V]
    const std::size_t steps = golden.shape("out.logits")[1];
    const std::size_t vocabulary = golden.configuration.tgt_vocab;
    double largest_logit = 0;
    for (const float logit : logits) largest_logit = std::max(largest_logit, std::abs(static_cast<double>(logit)));
    for (std::size_t b = 0; b < forced.size(); ++b) {
        const std::size_t real_steps = golden.targets[b].size() - 1;
        for (std::size_t i = 0; i < real_steps * vocabulary; ++i) {
            const double expected = logits[b * steps * vocabulary + i];
            REQUIRE(std::abs(forced[b].logits.data()[i] - expected) <= kForward * largest_logit);
        }
        if (golden.configuration.style == Style::none) {
            CHECK(forced[b].alignment.shape(1) == 0);
            continue;
        }
        const std::vector<float> alpha = golden.floats("out.alpha");  // [B, T, S]
        const std::size_t positions = golden.shape("out.alpha")[2];
        for (std::size_t t = 0; t < real_steps; ++t) {
            for (std::size_t s = 0; s < golden.sources[b].size(); ++s) {
                REQUIRE(std::abs(forced[b].alignment(t, s) - alpha[(b * steps + t) * positions + s]) <= kForward);
            }
        }
    }
}

void check_greedy(const GoldenCase& golden, simd::Executor& executor) {
    const Seq2Seq model(golden.configuration, share(golden.parameters));
    SearchOptions options;
    options.max_length = golden.shape("out.greedy")[1];
    const auto found = search(model, executor, golden.sources, options);
    const std::vector<int> expected = golden.integers("out.greedy");
    const std::vector<float> log_probabilities = golden.floats("out.greedy_log_prob");
    for (std::size_t b = 0; b < found.size(); ++b) {
        std::vector<int> ids = found[b][0].ids;
        ids.resize(options.max_length, PAD);
        const auto first = expected.begin() + static_cast<std::ptrdiff_t>(b * options.max_length);
        CHECK(ids == std::vector<int>(first, first + static_cast<std::ptrdiff_t>(options.max_length)));
        CHECK(found[b][0].log_probability == Approx(log_probabilities[b]).epsilon(1e-5));
    }
}

void check_training(const GoldenCase& golden, simd::Executor& executor) {
    const TrainingOptions options = options_of(golden);
    const Batch batch{golden.sources, golden.targets};
    const Seq2Seq model(golden.configuration, share(golden.parameters), Passes::forward_and_backward);
    Parameters gradient = Parameters::zeros(golden.configuration);
    const BatchLoss loss = loss_and_gradient(executor, model, batch, options, 0, gradient);
    CHECK(loss.loss == Approx(golden.loss).epsilon(kForward));
    compare(gradient, golden, "grad.", kGradient);

    Training training(golden.configuration, options, golden.parameters,
                      {Parameters::zeros(golden.configuration), Parameters::zeros(golden.configuration), 0});
    for (std::size_t step = 0; step < golden.step_losses.size(); ++step) {
        const StepResult result = training.step(executor, batch, golden.adam.rate);
        CHECK(result.batch.loss == Approx(golden.step_losses[step]).epsilon(kForward));
        CHECK(result.gradient_norm == Approx(golden.gradient_norms[step]).epsilon(kGradient));
        const std::string after = "adam" + std::to_string(step + 1) + ".";
        if (golden.has(after + "encoder.embed.weight")) {
            Parameters parameters = *training.parameters();
            compare(parameters, golden, after, kGradient);
        }
    }
}

}  // namespace

TEST_CASE("golden: every folder's forward pass, greedy search, gradients and optimiser steps are PyTorch's",
          "[golden]") {
    simd::SerialExecutor executor;
    for (const auto& folder : golden_folders()) {
        DYNAMIC_SECTION(folder.filename().string()) {
            const GoldenCase golden = read_golden(folder);
            check_forward(golden, executor);
            check_greedy(golden, executor);
            check_training(golden, executor);
        }
    }
}
