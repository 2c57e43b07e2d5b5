#include "core/simd/gemm.hpp"

#include <algorithm>

#include "tests/simd/executors.hpp"
#include "tests/simd/instruction_sets.hpp"
#include "tests/simd/matrices.hpp"

using namespace softalign;
using namespace softalign::simd;
using namespace softalign::tests;

namespace {

const std::vector<Shape> shapes = {
    {1, 1, 1},   {1, 5, 64},   {2, 0, 3},    {3, 7, 5},     {5, 64, 17},  {6, 128, 64},  {7, 129, 65},
    {13, 3, 31}, {64, 40, 33}, {64, 64, 64}, {70, 300, 90}, {1, 600, 97}, {400, 20, 10}, {12, 257, 130},
};

}  // namespace

TEST_CASE("a product equals the sum over k for every shape of panel and tile") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        for (const auto [m, k, n] : shapes) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed b(k, n, 2);
            const Framed before(m, n, 3);
            const PackedMatrix packed = PackedMatrix::pack(b.view());

            Framed replaced = before;
            multiply(serial, a.view(), packed, replaced.view(), Update::replace);
            CHECK(is_product(replaced, zero(m, n), a, b, before));

            Framed added = before;
            multiply(serial, a.view(), packed, added.view(), Update::add);
            CHECK(is_product(added, before, a, b, before));

            const std::vector<float> bias = random_floats(n, 4);
            Framed every_row = zero(m, n);
            for (std::size_t i = 0; i < m; ++i)
                std::copy(bias.begin(), bias.end(), &every_row.values[i * every_row.stride]);
            Framed with_bias = before;
            multiply(serial, a.view(), packed, with_bias.view(), Update::replace, bias.data());
            CHECK(is_product(with_bias, every_row, a, b, before));
        }
    });
}

TEST_CASE("a product with a matrix packed from its transpose has the same bits") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        for (const auto [m, k, n] : shapes) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed b(k, n, 2);
            const Framed b_transposed = transposed(b);
            Framed direct(m, n, 3);
            Framed by_transpose(m, n, 3);
            multiply(serial, a.view(), PackedMatrix::pack(b.view()), direct.view(), Update::replace);
            multiply(serial, a.view(), PackedMatrix::pack_transposed(b_transposed.view()), by_transpose.view(),
                     Update::replace);
            CHECK(same_bits(direct.values, by_transpose.values));
        }
    });
}

TEST_CASE("a product with a matrix as it is, or with its transpose, has the bits of the product with it packed") {
    SerialExecutor serial;
    // More k and more columns than are laid out at a time, too.
    std::vector<Shape> larger = shapes;
    larger.push_back({20, 1100, 600});
    for_each_instruction_set([&] {
        for (const auto [m, k, n] : larger) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed b(k, n, 2);
            const PackedMatrix packed = PackedMatrix::pack(b.view());
            const std::vector<float> bias = random_floats(n, 4);

            Framed expected(m, n, 3);
            Framed as_it_is(m, n, 3);
            multiply(serial, a.view(), packed, expected.view(), Update::add);
            multiply(serial, a.view(), UnpackedMatrix{b.view()}, as_it_is.view(), Update::add);
            CHECK(same_bits(as_it_is.values, expected.values));

            Framed by_transpose(m, n, 3);
            multiply(serial, a.view(), packed, expected.view(), Update::replace, bias.data());
            const Framed transpose = transposed(b);
            multiply(serial, a.view(), UnpackedMatrix{transpose.view(), true}, by_transpose.view(), Update::replace,
                     bias.data());
            CHECK(same_bits(by_transpose.values, expected.values));
        }
    });
}

TEST_CASE("a matrix is packed again into the same memory, smaller or larger") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        PackedMatrix packed;
        CHECK(packed.empty());
        for (const auto [m, k, n] : shapes) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed b(k, n, 2);
            packed.repack(serial, b.view());
            CHECK(packed.rows() == k);
            CHECK(packed.columns() == n);
            Framed fresh(m, n, 3);
            Framed again(m, n, 3);
            multiply(serial, a.view(), PackedMatrix::pack(b.view()), fresh.view(), Update::replace);
            multiply(serial, a.view(), packed, again.view(), Update::replace);
            CHECK(same_bits(fresh.values, again.values));
        }
    });
}

TEST_CASE("a transposed product equals the sum over the rows for every shape of panel and tile") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        for (const auto [m, k, n] : shapes) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed a_transposed = transposed(a);
            const Framed b(k, n, 2);
            const Framed before(m, n, 3);

            Framed replaced = before;
            multiply_transposed(serial, a_transposed.view(), b.view(), replaced.view(), Update::replace);
            CHECK(is_product(replaced, zero(m, n), a, b, before));

            Framed added = before;
            multiply_transposed(serial, a_transposed.view(), b.view(), added.view(), Update::add);
            CHECK(is_product(added, before, a, b, before));
        }
    });
}

TEST_CASE("a row of a product is the same bits whatever the number of rows and wherever it stands") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        constexpr std::size_t k = 300;
        constexpr std::size_t n = 150;
        const Framed b(k, n, 2);
        const std::vector<float> bias = random_floats(n, 4);
        const PackedMatrix packed = PackedMatrix::pack(b.view());
        const Framed a(64, k, 1);
        Framed all(64, n, 3);
        multiply(serial, a.view(), packed, all.view(), Update::replace, bias.data());
        for (const std::size_t rows : {1U, 2U, 7U, 31U}) {
            for (std::size_t first = 0; first + rows <= 64; first += 5) {
                CAPTURE(rows, first);
                Framed some(rows, n, 5);
                multiply(serial, a.view().rows_from(first, rows), packed, some.view(), Update::replace, bias.data());
                bool same = true;
                for (std::size_t row = 0; row < rows; ++row) {
                    same =
                        same && same_bits(&some.values[row * some.stride], &all.values[(first + row) * all.stride], n);
                }
                CHECK(same);
            }
        }
    });
}

TEST_CASE("a product is the same bits for any number of workers and any order of tasks") {
    SerialExecutor serial;
    ReversedExecutor reversed;
    ThreadExecutor two(2);
    ThreadExecutor seven(7);
    for_each_instruction_set([&] {
        for (const auto [m, k, n] : {Shape{64, 200, 500}, Shape{1, 300, 700}, Shape{500, 100, 20}, Shape{9, 9, 9}}) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed a_transposed = transposed(a);
            const Framed b(k, n, 2);
            const Framed b_transposed = transposed(b);
            const std::vector<float> bias = random_floats(n, 4);
            const PackedMatrix packed = PackedMatrix::pack(b.view());
            Framed expected(m, n, 3);
            multiply(serial, a.view(), packed, expected.view(), Update::replace, bias.data());
            Framed expected_transposed(m, n, 3);
            multiply_transposed(serial, a_transposed.view(), b.view(), expected_transposed.view(), Update::add);
            for (Executor* executor :
                 {static_cast<Executor*>(&reversed), static_cast<Executor*>(&two), static_cast<Executor*>(&seven)}) {
                Framed divided(m, n, 3);
                multiply(*executor, a.view(), packed, divided.view(), Update::replace, bias.data());
                CHECK(same_bits(divided.values, expected.values));
                Framed divided_transposed(m, n, 3);
                multiply_transposed(*executor, a_transposed.view(), b.view(), divided_transposed.view(), Update::add);
                CHECK(same_bits(divided_transposed.values, expected_transposed.values));
                Framed divided_as_it_is(m, n, 3);
                multiply(*executor, a.view(), UnpackedMatrix{b_transposed.view(), true}, divided_as_it_is.view(),
                         Update::replace, bias.data());
                CHECK(same_bits(divided_as_it_is.values, expected.values));
            }
        }
    });
}

TEST_CASE("the transposed product has the bits of the product") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        const Framed a(70, 300, 1);
        const Framed b(300, 90, 2);
        Framed direct(70, 90, 3);
        Framed by_transpose(70, 90, 3);
        multiply(serial, a.view(), PackedMatrix::pack(b.view()), direct.view(), Update::add);
        multiply_transposed(serial, transposed(a).view(), b.view(), by_transpose.view(), Update::add);
        CHECK(same_bits(direct.values, by_transpose.values));
    });
}

TEST_CASE("infinities and NaNs reach the rows and columns that they belong to, and no other") {
    SerialExecutor serial;
    for_each_instruction_set([&] {
        Framed a(8, 40, 1);
        Framed b(40, 70, 2);
        a.values[3 * a.stride + 4] = std::numeric_limits<float>::infinity();
        b.values[5 * b.stride + 66] = std::numeric_limits<float>::quiet_NaN();
        Framed c(8, 70, 3);
        multiply(serial, a.view(), PackedMatrix::pack(b.view()), c.view(), Update::replace);
        bool right = true;
        for (std::size_t i = 0; i < 8; ++i) {
            for (std::size_t j = 0; j < 70; ++j) right = right && std::isfinite(c.at(i, j)) == (i != 3 && j != 66);
        }
        CHECK(right);
    });
}
