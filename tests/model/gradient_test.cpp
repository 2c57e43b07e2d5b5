#include <cmath>

#include "tests/catch.hpp"
#include "tests/model/tiny_models.hpp"

using namespace softalign;
using namespace softalign::testing;

namespace {

// The loss as a function of the parameters, without touching the gradient under test.
double loss_of(const Configuration& configuration, const Parameters& parameters, const Batch& batch,
               const TrainingOptions& options) {
    simd::SerialExecutor executor;
    const Seq2Seq model(configuration, share(parameters), Passes::forward_and_backward);
    Parameters ignored = Parameters::zeros(configuration);
    return loss_and_gradient(executor, model, batch, options, 7, ignored).loss;
}

// Every tensor's gradient, projected on a random direction, against the central difference along it.
void compare_with_central_differences(const Configuration& configuration, const TrainingOptions& options) {
    simd::SerialExecutor executor;
    Parameters parameters = decided_parameters(configuration, 11, 2.0F);
    const Batch batch = random_batch(configuration, 6, 5, 23);
    Parameters gradient = Parameters::zeros(configuration);
    {
        const Seq2Seq model(configuration, share(parameters), Passes::forward_and_backward);
        loss_and_gradient(executor, model, batch, options, 7, gradient);
    }
    const std::vector<NamedTensor> gradients = named_tensors(gradient, configuration);
    const std::vector<NamedTensor> tensors = named_tensors(parameters, configuration);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        INFO(tensors[i].name);
        const RandomStream random(3, RandomUse::initial_weights, i);
        std::vector<float> direction(tensors[i].size);
        for (std::size_t k = 0; k < direction.size(); ++k) direction[k] = random.uniform(k) < 0.5 ? -1.0F : 1.0F;
        double analytic = 0;
        double magnitude = 0;
        for (std::size_t k = 0; k < direction.size(); ++k) {
            analytic += static_cast<double>(gradients[i].data[k]) * direction[k];
            magnitude += std::abs(static_cast<double>(gradients[i].data[k]));
        }
        const std::vector<float> before(tensors[i].data, tensors[i].data + tensors[i].size);
        const float step = 4e-3F;
        const auto shifted_loss = [&](float shift) {
            for (std::size_t k = 0; k < before.size(); ++k) tensors[i].data[k] = before[k] + shift * direction[k];
            return loss_of(configuration, parameters, batch, options);
        };
        const double numeric = (shifted_loss(step) - shifted_loss(-step)) / (2.0 * static_cast<double>(step));
        std::copy(before.begin(), before.end(), tensors[i].data);
        CHECK(std::abs(numeric - analytic) <= 1e-3 + 0.02 * magnitude);
        CHECK(magnitude > 0);
    }
}

}  // namespace

TEST_CASE("analytic gradients equal central differences") {
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        TrainingOptions options;
        options.label_smoothing = 0.1F;
        compare_with_central_differences(configuration, options);
    }
}

TEST_CASE("analytic gradients equal central differences under dropout") {
    for (const Configuration& configuration : tiny_configurations()) {
        INFO(describe(configuration));
        TrainingOptions options;
        options.embedding_dropout = 0.3F;
        options.layer_dropout = 0.2F;
        options.output_dropout = 0.4F;
        options.word_dropout = 0.2F;
        compare_with_central_differences(configuration, options);
    }
}

TEST_CASE("gradients of a batch do not depend on the workers, bit for bit") {
    for (Configuration configuration : tiny_configurations()) {
        configuration.tgt_vocab = 700;
        INFO(describe(configuration));
        const Parameters parameters = decided_parameters(configuration, 2);
        const Seq2Seq model(configuration, share(parameters), Passes::forward_and_backward);
        const Batch batch = random_batch(configuration, 30, 12, 4);
        TrainingOptions options;
        options.embedding_dropout = 0.2F;
        options.teacher_forcing = 0.5F;
        Parameters one = Parameters::zeros(configuration);
        Parameters many = Parameters::zeros(configuration);
        simd::SerialExecutor serial;
        ReversedExecutor reversed(6);
        loss_and_gradient(serial, model, batch, options, 1, one);
        loss_and_gradient(reversed, model, batch, options, 1, many);
        const std::vector<NamedTensor> a = named_tensors(one, configuration);
        const std::vector<NamedTensor> b = named_tensors(many, configuration);
        for (std::size_t i = 0; i < a.size(); ++i) {
            INFO(a[i].name);
            REQUIRE(std::equal(a[i].data, a[i].data + a[i].size, b[i].data));
        }
    }
}
