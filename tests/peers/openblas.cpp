// Matrix products of softalign and of OpenBLAS in turns; tests/peers/README.md has the command that builds it.
//   openblas [THREADS]    one JSON object a product

#include <cblas.h>

#include <cstdio>
#include <cstdlib>

#include "core/simd/gemm.hpp"
#include "native/bench/session.hpp"
#include "native/thread_pool.hpp"

namespace {

using namespace softalign;

/// C[m, n] = A[m, k] · B[k, n]
struct Shape {
    std::size_t m;
    std::size_t k;
    std::size_t n;
};

std::vector<float> random_floats(std::size_t size) {
    std::vector<float> values(size);
    for (float& value : values) value = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5F;
    return values;
}

void compare(const bench::Session& session, simd::Executor& executor, const Shape& shape) {
    const auto [m, k, n] = shape;
    const std::vector<float> a = random_floats(m * k);
    const std::vector<float> b = random_floats(k * n);
    std::vector<float> c(m * n);
    std::vector<float> c_of_openblas(m * n);
    const simd::MatrixView a_view{a.data(), m, k, k};
    const simd::MatrixView b_view{b.data(), k, n, n};
    const simd::MutableMatrixView c_view{c.data(), m, n, n};
    const simd::PackedMatrix packed_before = simd::PackedMatrix::pack(b_view);
    simd::PackedMatrix packed_within;
    const std::vector<double> seconds = session.seconds_in_turns(
        {[&] {
             packed_within.repack(executor, b_view);
             simd::multiply(executor, a_view, packed_within, c_view, simd::Update::replace);
         },
         [&] { simd::multiply(executor, a_view, packed_before, c_view, simd::Update::replace); },
         [&] {
             const auto size = [](std::size_t x) { return static_cast<blasint>(x); };
             cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(m), size(n), size(k), 1.0F, a.data(), size(k),
                         b.data(), size(n), 0.0F, c_of_openblas.data(), size(n));
         }});
    const double operations = 2e-9 * static_cast<double>(m * k * n);
    std::printf(
        "{\"m\":%zu,\"k\":%zu,\"n\":%zu,\"threads\":%zu,\"core\":\"%s\",\"openblas_gflops\":%.1f,"
        "\"gflops\":%.1f,\"packed_before_gflops\":%.1f,\"ratio\":%.3f,\"packed_before_ratio\":%.3f}\n",
        m, k, n, executor.workers(), openblas_get_corename(), operations / seconds[2], operations / seconds[0],
        operations / seconds[1], seconds[2] / seconds[0], seconds[2] / seconds[1]);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
    openblas_set_num_threads(threads);
    ThreadPool executor(static_cast<std::size_t>(threads));
    const bench::Options options;
    const bench::Report no_report;
    const bench::Session session(options, executor, no_report);
    for (const Shape& shape :
         {Shape{1024, 1024, 1024}, Shape{64, 1280, 2048}, Shape{64, 1024, 8000}, Shape{1920, 1024, 8000}}) {
        compare(session, executor, shape);
    }
}
