#include "core/simd/gemm.hpp"
#include "native/bench/measurements.hpp"
#include "native/bench/models.hpp"
#include "native/bench/stage_timer.hpp"
#include "native/system/memory.hpp"

namespace softalign::bench {

namespace {

constexpr float kLearningRate = 1e-3F;

struct Conditions {
    const NamedConfiguration& model;
    std::size_t sentences;
    std::size_t length;
    simd::Precision products;

    std::string products_name() const { return products == simd::Precision::bf16 ? "bf16" : "f32"; }
    std::string name() const { return model.name + " " + std::to_string(length) + " " + products_name(); }

    Record record(const char* bench, Session& session) const {
        return {{"bench", bench},   {"model", model.name},         {"batch", sentences},
                {"length", length}, {"products", products_name()}, {"threads", session.executor().workers()}};
    }
};

/// What every stage of a step takes, of all of it.
void report_stages(Session& session, const Conditions& conditions, Training& training, const Batch& batch) {
    const int steps = session.quick() ? 1 : 10;
    StageTimer timer(session.executor());
    for (int step = 0; step < steps; ++step) training.step(timer, batch, kLearningRate);
    const std::map<std::string, double> stages = timer.seconds();
    double all = 0;
    for (const auto& [stage, seconds] : stages) all += seconds;
    for (const auto& [stage, seconds] : stages) {
        Record record = conditions.record("stage", session);
        record["stage"] = stage;
        record["milliseconds"] = figure(1e3 * seconds / steps);
        record["of_step"] = figure(seconds / all);
        session.report(record);
    }
}

constexpr double kMegabyte = 1e6;

void measure(Session& session, const Conditions& conditions) {
    if (!session.wants("training " + conditions.name())) return;
    TrainingOptions options;
    options.products = conditions.products;
    const Configuration& configuration = conditions.model.configuration;
    give_back_freed();
    const std::size_t before = resident_bytes();
    forget_peak();
    Training training(configuration, options);
    training.step(session.executor(), random_batch(configuration, 1, 2), kLearningRate);  // touches all but activations
    const std::size_t beside_activations = resident_bytes();

    const Batch batch = random_batch(configuration, conditions.sentences, conditions.length);
    const Session::Speed speed =
        session.speed(multiply_adds_of_training(configuration, conditions.sentences, conditions.length),
                      [&] { training.step(session.executor(), batch, kLearningRate); });
    const std::size_t peak = peak_resident_bytes();
    const auto words = static_cast<double>(2 * conditions.sentences * conditions.length);
    Record record = conditions.record("training", session);
    record["milliseconds"] = figure(1e3 * speed.seconds);
    record["tokens_per_second"] = figure(words / speed.seconds);
    record["gflops"] = figure(speed.gflops);
    record["of_peak"] = figure(speed.of_peak);
    session.report(record);
    report_stages(session, conditions, training, batch);

    if (beside_activations <= before) return;  // this system does not report memory
    const auto held = static_cast<double>(beside_activations - before);
    Record memory = conditions.record("memory", session);
    memory["megabytes_beside_activations"] = figure(held / kMegabyte);
    memory["of_16_bytes_a_parameter"] = figure(held / (16.0 * static_cast<double>(parameter_count(configuration))));
    memory["peak_megabytes"] = figure(static_cast<double>(peak) / kMegabyte);
    session.report(memory);
}

}  // namespace

void measure_training(Session& session) {
    for (const NamedConfiguration& model : configurations()) {
        for (const std::size_t length : {12, 30}) {
            if (session.quick() && (model.name != "small" || length != 12)) continue;
            const std::size_t sentences = session.quick() ? 2 : 64;
            measure(session, {model, sentences, length, simd::Precision::f32});
            if (simd::has_bf16()) measure(session, {model, sentences, length, simd::Precision::bf16});
        }
    }
}

}  // namespace softalign::bench
