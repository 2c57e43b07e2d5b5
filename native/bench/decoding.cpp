#include <memory>

#include "core/search/search.hpp"
#include "core/simd/kernels.hpp"
#include "native/bench/measurements.hpp"
#include "native/bench/models.hpp"

namespace softalign::bench {

namespace {

constexpr std::size_t kLength = 20;  // of source and translation

/// Memory of a given size, read from beginning to end by all workers together, each at two places at once, which is
/// faster than at one. It begins at a cache line, like packed weights; otherwise every load would touch two.
class Reading {
  public:
    explicit Reading(std::size_t bytes) : memory_(bytes / sizeof(float) + kLine, 1.0F), floats_(bytes / sizeof(float)) {
        void* begin = memory_.data();
        std::size_t space = memory_.size() * sizeof(float);
        begin_ = static_cast<const float*>(std::align(kLine * sizeof(float), bytes, begin, space));
    }

    void read(simd::Executor& executor) {
        const std::size_t parts = executor.workers();
        sums_.resize(parts);
        executor.run(parts, [&](std::size_t part) {
            const std::size_t half = floats_ / parts / 2 / kLine * kLine;
            const float* begin = begin_ + 2 * half * part;
            sums_[part] = simd::dot(begin, begin + half, half);
        });
    }

  private:
    static constexpr std::size_t kLine = 16;  // floats

    std::vector<float> memory_;
    std::size_t floats_;
    const float* begin_;
    std::vector<float> sums_;
};

/// A model with random weights, and what is measured with it.
struct Subject {
    std::string name;
    std::string weights;
    Configuration configuration;
    std::size_t bytes_of_a_step;
    Seq2Seq model;

    Subject(const NamedConfiguration& named, Storage storage)
        : name(named.name),
          weights(weights_name(storage)),
          configuration(named.configuration),
          bytes_of_a_step(bench::bytes_of_a_step(configuration, storage)),
          model(configuration, random_model(configuration, storage).parameters) {}

    static std::string weights_name(Storage storage) { return storage == Storage::i8 ? "int8" : "f32"; }

    std::function<void()> decoding(simd::Executor& executor, std::size_t batch) const {
        SearchOptions options;
        options.max_length = kLength;
        return [this, &executor, options, sources = random_sentences(configuration.src_vocab, batch, kLength)] {
            search(model, executor, sources, options);
        };
    }
};

void measure_a_sentence(Session& session, const Subject& subject) {
    simd::Executor& executor = session.executor();
    Reading reading(subject.bytes_of_a_step);
    const std::vector<double> seconds =
        session.seconds_in_turns({subject.decoding(executor, 1), [&] { reading.read(executor); }});
    const double of_a_word = seconds[0] / static_cast<double>(kLength);
    session.report({{"bench", "decoding"},
                    {"model", subject.name},
                    {"weights", subject.weights},
                    {"threads", executor.workers()},
                    {"milliseconds_a_sentence", figure(1e3 * seconds[0])},
                    {"milliseconds_a_word", figure(1e3 * of_a_word)},
                    {"megabytes_a_word", figure(1e-6 * static_cast<double>(subject.bytes_of_a_step))},
                    {"milliseconds_to_read_them", figure(1e3 * seconds[1])},
                    {"times_reading", figure(of_a_word / seconds[1])}});
}

void measure_a_batch(Session& session, const Subject& subject) {
    simd::Executor& executor = session.executor();
    const std::size_t batch = session.quick() ? 2 : 64;
    const double seconds = session.seconds_in_turns({subject.decoding(executor, batch)}).front();
    session.report({{"bench", "throughput"},
                    {"model", subject.name},
                    {"weights", subject.weights},
                    {"batch", batch},
                    {"threads", executor.workers()},
                    {"words_per_second", figure(static_cast<double>(batch * kLength) / seconds)}});
}

/// @param kind of the measurement, as the filter names it
void measure_each(Session& session, const std::string& kind, void (*measure)(Session&, const Subject&)) {
    for (const NamedConfiguration& named : configurations()) {
        if (session.quick() && named.name != "small") continue;
        for (const Storage storage : {Storage::f32, Storage::i8}) {
            if (!session.wants(kind + " " + named.name + " " + Subject::weights_name(storage))) continue;
            measure(session, Subject(named, storage));
        }
    }
}

}  // namespace

void measure_decoding(Session& session) {
    measure_each(session, "decoding", measure_a_sentence);
    measure_each(session, "throughput", measure_a_batch);
}

}  // namespace softalign::bench
