#include <cmath>

#include "core/nn/projection.hpp"
#include "core/nn/quantize.hpp"
#include "core/nn/random.hpp"
#include "native/bench/measurements.hpp"

namespace softalign::bench {

namespace {

/// C[m, n] = A[m, k] · B[k, n]
struct Shape {
    std::size_t m;
    std::size_t k;
    std::size_t n;
};

/// Whether B is laid out for the kernels before the clock starts, like weights, or as part of every product.
enum class Packing { before, within };

Matrix random_matrix(std::size_t rows, std::size_t columns) {
    const RandomStream random(1, RandomUse::initial_weights, rows * columns);
    Matrix matrix = zeros(rows, columns);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(random.uniform(i) - 0.5);
    return matrix;
}

const char* name(simd::Precision precision) {
    switch (precision) {
        case simd::Precision::f32:
            return "f32";
        case simd::Precision::bf16:
            return "bf16";
        case simd::Precision::int8:
            return "int8";
    }
    return "";
}

void measure(Session& session, const Shape& shape, simd::Precision precision, Packing packing) {
    const std::string size = std::to_string(shape.m) + "x" + std::to_string(shape.k) + "x" + std::to_string(shape.n);
    if (!session.wants("product " + size + " " + name(precision))) return;
    simd::Executor& executor = session.executor();
    const Matrix a = random_matrix(shape.m, shape.k);
    Matrix c = zeros(shape.m, shape.n);

    std::function<void()> task;
    simd::PackedMatrix packed;
    Projection projection;
    Matrix b;
    if (packing == Packing::before) {
        const Matrix weight = random_matrix(shape.n, shape.k);
        const Preparation preparation{executor, Passes::forward, precision};
        if (precision == simd::Precision::int8) {
            projection.set(preparation, quantize(weight.data(), shape.n, shape.k), {0, shape.k});
        } else {
            projection.set(preparation, weight, {0, shape.k});
        }
        task = [&] { projection.forward(executor, view(a), view(c), simd::Update::replace); };
    } else {
        b = random_matrix(shape.k, shape.n);
        task = [&] {
            packed.repack(executor, view(std::as_const(b)), precision);
            simd::multiply(executor, view(a), packed, view(c), simd::Update::replace);
        };
    }
    const Session::Speed speed = session.speed(static_cast<double>(shape.m * shape.k * shape.n), task);
    session.report({{"bench", "product"},
                    {"m", shape.m},
                    {"k", shape.k},
                    {"n", shape.n},
                    {"weights", name(precision)},
                    {"packed_before", packing == Packing::before},
                    {"threads", executor.workers()},
                    {"microseconds", figure(1e6 * speed.seconds)},
                    {"gflops", figure(speed.gflops)},
                    {"of_peak", figure(speed.of_peak)}});
}

}  // namespace

void measure_products(Session& session) {
    std::vector<simd::Precision> trained{simd::Precision::f32};
    if (simd::has_bf16()) trained.push_back(simd::Precision::bf16);

    const std::vector<std::size_t> sizes =
        session.quick() ? std::vector<std::size_t>{64} : std::vector<std::size_t>{256, 512, 1024};
    for (const std::size_t n : sizes) {
        for (const simd::Precision precision : trained) {
            measure(session, {n, n, n}, precision, Packing::within);
            measure(session, {n, n, n}, precision, Packing::before);
        }
    }
    if (session.quick()) return;

    // Of full: a step of the decoder's LSTM, of the output layer, and that over a whole batch of 30 steps.
    for (const Shape& shape : {Shape{64, 1280, 2048}, Shape{64, 1024, 8000}, Shape{1920, 1024, 8000}}) {
        for (const simd::Precision precision : trained) measure(session, shape, precision, Packing::before);
    }
    // The same for one sentence, where most of the time goes into reading the weights.
    for (const Shape& shape : {Shape{1, 1280, 2048}, Shape{1, 1024, 8000}}) {
        for (const simd::Precision precision : {simd::Precision::f32, simd::Precision::int8}) {
            measure(session, shape, precision, Packing::before);
        }
    }
}

}  // namespace softalign::bench
