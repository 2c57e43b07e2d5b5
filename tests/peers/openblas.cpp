// Matrix products of softalign and of OpenBLAS in turns; tests/peers/README.md has the command that builds it.
//   openblas [THREADS]    one JSON object a product

#include <cblas.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/simd/gemm.hpp"
#include "native/bench/session.hpp"
#include "native/evaluate/statistics.hpp"
#include "native/system/thread_pool.hpp"

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

/// What `measure` returns in a process of its own: the threads of one library spin for a while after its work, and
/// would take the processors from the other's.
double in_child(const std::function<double()>& measure) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    if (fork() == 0) {
        const double result = measure();
        _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
    }
    double result = 0;
    if (read(ends[0], &result, sizeof result) != sizeof result) std::abort();
    wait(nullptr);
    close(ends[0]);
    close(ends[1]);
    return result;
}

double seconds_of_softalign(const Shape& shape, int threads, bool packed_before) {
    ThreadPool executor(static_cast<std::size_t>(threads));
    const bench::Options options;
    const bench::Report no_report;
    const bench::Session session(options, executor, no_report);
    const std::vector<float> a = random_floats(shape.m * shape.k);
    const std::vector<float> b = random_floats(shape.k * shape.n);
    std::vector<float> c(shape.m * shape.n);
    const simd::MatrixView b_view{b.data(), shape.k, shape.n, shape.n};
    simd::PackedMatrix packed = simd::PackedMatrix::pack(b_view);
    const auto product = [&] {
        if (!packed_before) packed.repack(executor, b_view);
        simd::multiply(executor, {a.data(), shape.m, shape.k, shape.k}, packed, {c.data(), shape.m, shape.n, shape.n},
                       simd::Update::replace);
    };
    return session.seconds_in_turns({product}).front();
}

double seconds_of_openblas(const Shape& shape, int threads) {
    openblas_set_num_threads(threads);
    simd::SerialExecutor unused;
    const bench::Options options;
    const bench::Report no_report;
    const bench::Session session(options, unused, no_report);
    const std::vector<float> a = random_floats(shape.m * shape.k);
    const std::vector<float> b = random_floats(shape.k * shape.n);
    std::vector<float> c(shape.m * shape.n);
    const auto m = static_cast<blasint>(shape.m);
    const auto k = static_cast<blasint>(shape.k);
    const auto n = static_cast<blasint>(shape.n);
    const auto product = [&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0F, a.data(), k, b.data(), n, 0.0F, c.data(),
                    n);
    };
    return session.seconds_in_turns({product}).front();
}

void compare(const Shape& shape, int threads) {
    std::vector<double> openblas;
    std::vector<double> within;
    std::vector<double> before;
    for (int turn = 0; turn < 5; ++turn) {
        openblas.push_back(in_child([&] { return seconds_of_openblas(shape, threads); }));
        within.push_back(in_child([&] { return seconds_of_softalign(shape, threads, false); }));
        before.push_back(in_child([&] { return seconds_of_softalign(shape, threads, true); }));
    }
    const double operations = 2e-9 * static_cast<double>(shape.m * shape.k * shape.n);
    const double peer = median(openblas);
    std::printf(
        "{\"m\":%zu,\"k\":%zu,\"n\":%zu,\"threads\":%d,\"core\":\"%s\",\"openblas_gflops\":%.1f,\"gflops\":%.1f,"
        "\"packed_before_gflops\":%.1f,\"ratio\":%.3f,\"packed_before_ratio\":%.3f}\n",
        shape.m, shape.k, shape.n, threads, openblas_get_corename(), operations / peer, operations / median(within),
        operations / median(before), peer / median(within), peer / median(before));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
    for (const Shape& shape :
         {Shape{1024, 1024, 1024}, Shape{64, 1280, 2048}, Shape{64, 1024, 8000}, Shape{1920, 1024, 8000}}) {
        compare(shape, threads);
    }
}
