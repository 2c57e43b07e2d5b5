#include <cmath>

#include "native/lab/axis_model.hpp"
#include "native/lab/imposed_weights.hpp"
#include "native/lab/reverse_task.hpp"
#include "tests/catch.hpp"

using namespace softalign;
using namespace softalign::lab;

namespace {

ReverseOptions tiny() {
    ReverseOptions options;
    options.letters = 5;
    options.hidden = 8;
    options.longest = 6;
    options.steps = 20;
    options.batch = 4;
    return options;
}

double largest_difference(Parameters& a, Parameters& b, const Configuration& configuration) {
    const std::vector<NamedTensor> first = named_tensors(a, configuration);
    const std::vector<NamedTensor> second = named_tensors(b, configuration);
    double largest = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t k = 0; k < first[i].size; ++k) {
            largest = std::max(largest, std::abs(static_cast<double>(first[i].data[k] - second[i].data[k])));
        }
    }
    return largest;
}

}  // namespace

TEST_CASE("over the source axis the experiment's model is the library's own") {
    simd::SerialExecutor executor;
    const Configuration configuration = reverse_configuration(tiny(), Reader::dot);
    const Parameters parameters = initial_parameters(configuration, 7);
    const Batch batch = reverse_batch(tiny(), {3, 6, 1, 4}, 1, 2);
    const AxisModel model(configuration, share(parameters), Axis::source);
    Parameters gradient = Parameters::zeros(configuration);
    const BatchLoss loss = model.loss_and_gradient(executor, batch, gradient);

    const Seq2Seq library(configuration, share(parameters), Passes::forward_and_backward);
    Parameters library_gradient = Parameters::zeros(configuration);
    const BatchLoss library_loss = loss_and_gradient(executor, library, batch, {}, 0, library_gradient);
    CHECK(loss.loss == Approx(library_loss.loss).margin(1e-6));
    CHECK(largest_difference(gradient, library_gradient, configuration) < 1e-6);

    std::vector<std::vector<int>> found = model.search(executor, batch.sources, 3);
    const ForcedDecoding forced = forced_decode(executor, library, {batch.sources[1]}, {{BOS, found[1][0], EOS}})[0];
    CHECK(found[1][1] == forced.predicted[1]);
}

TEST_CASE("the gradient over the wrong axis equals central differences") {
    simd::SerialExecutor executor;
    const Configuration configuration = reverse_configuration(tiny(), Reader::dot);
    const auto parameters = std::make_shared<Parameters>(initial_parameters(configuration, 7));
    const Batch batch = reverse_batch(tiny(), {3, 5}, 1, 2);
    AxisModel model(configuration, parameters, Axis::target);
    Parameters gradient = Parameters::zeros(configuration);
    model.loss_and_gradient(executor, batch, gradient);
    const std::vector<NamedTensor> analytic = named_tensors(gradient, configuration);
    const std::vector<NamedTensor> values = named_tensors(*parameters, configuration);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t k = values[i].size / 2;
        const float kept = values[i].data[k];
        const auto loss_at = [&](float value) {
            values[i].data[k] = value;
            model.refresh(executor);
            Parameters unused = Parameters::zeros(configuration);
            return model.loss_and_gradient(executor, batch, unused).loss;
        };
        constexpr float kStep = 1e-2F;
        const double numeric = (loss_at(kept + kStep) - loss_at(kept - kStep)) / (2 * static_cast<double>(kStep));
        loss_at(kept);
        INFO(values[i].name);
        CHECK(static_cast<double>(analytic[i].data[k]) == Approx(numeric).margin(2e-4));
    }
}

TEST_CASE("a step repeated with its own weights gives its own output, with others another") {
    simd::SerialExecutor executor;
    for (const Reader reader : {Reader::additive, Reader::dot}) {
        Configuration configuration = reverse_configuration(tiny(), reader);
        configuration.input_feeding = reader == Reader::dot;
        configuration.readout = 6;
        const Parameters parameters = initial_parameters(configuration, 3);
        const Seq2Seq model(configuration, share(parameters));
        const Batch batch = reverse_batch(tiny(), {6}, 1, 2);
        const ImposableSentence sentence(executor, model, batch.sources[0], batch.targets[0]);
        const ForcedDecoding forced = forced_decode(executor, model, batch.sources, batch.targets)[0];
        for (std::size_t t = 0; t < sentence.steps(); ++t) {
            Matrix weights = zeros(2, 6);
            std::copy_n(sentence.weights(t), 6, row(weights, 0));
            weights(1, 5) = 1;
            const Matrix outputs = sentence.distributions(executor, t, weights);
            const auto label = static_cast<std::size_t>(batch.targets[0][t + 1]);
            CHECK(std::log(outputs(0, label)) == Approx(forced.log_probabilities[t]).margin(1e-5));
            CHECK(outputs(1, label) != outputs(0, label));
        }
    }
}

TEST_CASE("the sequences of the toy task are reversed, and unseen ones are others") {
    const ReverseOptions options = tiny();
    const Batch batch = reverse_training_batch(options, 5);
    CHECK(batch.sources.size() == options.batch);
    for (std::size_t i = 0; i < batch.sources.size(); ++i) {
        const std::vector<int>& source = batch.sources[i];
        REQUIRE(batch.targets[i].size() == source.size() + 2);
        for (std::size_t k = 0; k < source.size(); ++k) {
            CHECK(source[k] >= kSymbols);
            CHECK(source[k] < kSymbols + 5);
            CHECK(batch.targets[i][source.size() - k] == source[k]);
        }
        CHECK(batch.targets[i].front() == BOS);
        CHECK(batch.targets[i].back() == EOS);
    }
    CHECK(reverse_batch(options, {40}, options.seed, 1).sources !=
          reverse_batch(options, {40}, unseen_seed(options), 1).sources);
}
