#include "core/simd/gemm.hpp"
#include "native/bench/measurements.hpp"
#include "native/bench/models.hpp"

namespace softalign::bench {

namespace {

constexpr float kLearningRate = 1e-3F;

void measure(Session& session, const NamedConfiguration& model, std::size_t length, simd::Precision products) {
    const std::string products_name = products == simd::Precision::bf16 ? "bf16" : "f32";
    if (!session.wants("training " + model.name + " " + std::to_string(length) + " " + products_name)) return;
    const std::size_t sentences = session.quick() ? 2 : 64;
    TrainingOptions options;
    options.products = products;
    Training training(model.configuration, options);
    const Batch batch = random_batch(model.configuration, sentences, length);
    const Session::Speed speed = session.speed(multiply_adds_of_training(model.configuration, sentences, length),
                                               [&] { training.step(session.executor(), batch, kLearningRate); });
    session.report({{"bench", "training"},
                    {"model", model.name},
                    {"batch", sentences},
                    {"length", length},
                    {"products", products_name},
                    {"threads", session.executor().workers()},
                    {"milliseconds", figure(1e3 * speed.seconds)},
                    {"tokens_per_second", figure(static_cast<double>(2 * sentences * length) / speed.seconds)},
                    {"gflops", figure(speed.gflops)},
                    {"of_peak", figure(speed.of_peak)}});
}

}  // namespace

void measure_training(Session& session) {
    for (const NamedConfiguration& model : configurations()) {
        for (const std::size_t length : {12, 30}) {
            if (session.quick() && (model.name != "small" || length != 12)) continue;
            measure(session, model, length, simd::Precision::f32);
            if (simd::has_bf16()) measure(session, model, length, simd::Precision::bf16);
        }
    }
}

}  // namespace softalign::bench
