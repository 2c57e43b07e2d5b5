#include <functional>

#include "core/error.hpp"
#include "core/simd/gemm.hpp"
#include "tests/simd/executors.hpp"
#include "tests/simd/instruction_sets.hpp"
#include "tests/simd/matrices.hpp"

using namespace softalign;
using namespace softalign::simd;
using namespace softalign::tests;

namespace {

/// Runs the body where the best instruction set multiplies in bf16; elsewhere says that it did not.
void where_bf16_is(const std::function<void()>& body) {
    if (has_bf16()) {
        body();
    } else {
        WARN("this processor has no products in bf16: not tested");
    }
}

/// To the nearest number with 8 bits of mantissa, ties to even.
float rounded_to_bf16(float x) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    bits += 0x7FFFU + (bits >> 16U & 1U);
    bits &= 0xFFFF0000U;
    std::memcpy(&x, &bits, sizeof bits);
    return x;
}

Framed rounded(Framed matrix) {
    for (float& value : matrix.values) value = rounded_to_bf16(value);
    return matrix;
}

// K odd and even, shorter and longer than a block of 256; N a whole number of panels of 64 or not; M below, at and
// above a tile of 6 rows and a block of 384.
const std::vector<Shape> bf16_shapes = {
    {1, 1, 1},    {1, 5, 64},    {2, 0, 3},      {3, 7, 5},     {5, 64, 17},
    {6, 128, 64}, {7, 129, 65},  {13, 3, 31},    {64, 33, 33},  {70, 301, 90},
    {1, 600, 97}, {400, 20, 10}, {12, 257, 130}, {9, 513, 128}, {390, 515, 70},
};

}  // namespace

TEST_CASE("a product in bf16 equals the sum over k of rounded factors for every shape of panel and tile") {
    where_bf16_is([] {
        SerialExecutor serial;
        for (const auto [m, k, n] : bf16_shapes) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed b(k, n, 2);
            const Framed before(m, n, 3);
            const PackedMatrix packed = PackedMatrix::pack(b.view(), Precision::bf16);
            CHECK(packed.precision() == Precision::bf16);

            Framed replaced = before;
            multiply(serial, a.view(), packed, replaced.view(), Update::replace);
            CHECK(is_product(replaced, zero(m, n), rounded(a), rounded(b), before));

            Framed added = before;
            multiply(serial, a.view(), packed, added.view(), Update::add);
            CHECK(is_product(added, before, rounded(a), rounded(b), before));

            const std::vector<float> bias = random_floats(n, 4);
            Framed every_row = zero(m, n);
            for (std::size_t i = 0; i < m; ++i)
                std::copy(bias.begin(), bias.end(), &every_row.values[i * every_row.stride]);
            Framed with_bias = before;
            multiply(serial, a.view(), packed, with_bias.view(), Update::replace, bias.data());
            CHECK(is_product(with_bias, every_row, rounded(a), rounded(b), before));
        }
    });
}

TEST_CASE("in bf16 a matrix packed from its transpose, one as it is and a transposed product have the same bits") {
    where_bf16_is([] {
        SerialExecutor serial;
        // More k and more columns than are laid out at a time, too.
        std::vector<Shape> shapes = bf16_shapes;
        shapes.push_back({20, 1101, 600});
        for (const auto [m, k, n] : shapes) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed b(k, n, 2);
            Framed direct(m, n, 3);
            Framed packed_from_transpose(m, n, 3);
            Framed transposed_product(m, n, 3);
            Framed as_it_is(m, n, 3);
            Framed transpose_as_it_is(m, n, 3);
            multiply(serial, a.view(), PackedMatrix::pack(b.view(), Precision::bf16), direct.view(), Update::add);
            multiply(serial, a.view(), PackedMatrix::pack_transposed(transposed(b).view(), Precision::bf16),
                     packed_from_transpose.view(), Update::add);
            multiply_transposed(serial, transposed(a).view(), b.view(), transposed_product.view(), Update::add,
                                Precision::bf16);
            CHECK(same_bits(direct.values, packed_from_transpose.values));
            multiply(serial, a.view(), UnpackedMatrix{b.view(), false, Precision::bf16}, as_it_is.view(), Update::add);
            const auto transpose = transposed(b);
            multiply(serial, a.view(), UnpackedMatrix{transpose.view(), true, Precision::bf16},
                     transpose_as_it_is.view(), Update::add);
            CHECK(same_bits(direct.values, transposed_product.values));
            CHECK(same_bits(direct.values, as_it_is.values));
            CHECK(same_bits(direct.values, transpose_as_it_is.values));
        }
    });
}

TEST_CASE("a row of a product in bf16 is the same bits whatever the number of rows and wherever it stands") {
    where_bf16_is([] {
        SerialExecutor serial;
        constexpr std::size_t k = 601;
        constexpr std::size_t n = 150;
        const Framed b(k, n, 2);
        const std::vector<float> bias = random_floats(n, 4);
        const PackedMatrix packed = PackedMatrix::pack(b.view(), Precision::bf16);
        const Framed a(400, k, 1);
        Framed all(400, n, 3);
        multiply(serial, a.view(), packed, all.view(), Update::replace, bias.data());
        for (const std::size_t rows : {1U, 2U, 7U, 64U}) {
            for (std::size_t first = 0; first + rows <= 400; first += 23) {
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

TEST_CASE("a product in bf16 is the same bits for any number of workers and any order of tasks") {
    where_bf16_is([] {
        SerialExecutor serial;
        ReversedExecutor reversed;
        ThreadExecutor seven(7);
        for (const auto [m, k, n] : {Shape{64, 201, 500}, Shape{1, 300, 700}, Shape{500, 100, 20}, Shape{9, 9, 9}}) {
            CAPTURE(m, k, n);
            const Framed a(m, k, 1);
            const Framed b(k, n, 2);
            Framed expected(m, n, 3);
            multiply(serial, a.view(), PackedMatrix::pack(b.view(), Precision::bf16), expected.view(), Update::add);
            for (Executor* executor : {static_cast<Executor*>(&reversed), static_cast<Executor*>(&seven)}) {
                PackedMatrix packed;
                packed.repack_transposed(*executor, transposed(b).view(), Precision::bf16);
                Framed divided(m, n, 3);
                multiply(*executor, a.view(), packed, divided.view(), Update::add);
                CHECK(same_bits(divided.values, expected.values));
                packed.repack(*executor, b.view(), Precision::bf16);
                Framed again(m, n, 3);
                multiply(*executor, a.view(), packed, again.view(), Update::add);
                CHECK(same_bits(again.values, expected.values));
                Framed divided_transposed(m, n, 3);
                multiply_transposed(*executor, transposed(a).view(), b.view(), divided_transposed.view(), Update::add,
                                    Precision::bf16);
                CHECK(same_bits(divided_transposed.values, expected.values));
            }
        }
    });
}

TEST_CASE("in bf16 infinities and NaNs reach the rows and columns that they belong to, and no other") {
    where_bf16_is([] {
        SerialExecutor serial;
        Framed a(8, 41, 1);
        Framed b(41, 70, 2);
        a.values[3 * a.stride + 40] = std::numeric_limits<float>::infinity();
        b.values[5 * b.stride + 66] = std::numeric_limits<float>::quiet_NaN();
        Framed c(8, 70, 3);
        Framed c_transposed(8, 70, 3);
        multiply(serial, a.view(), PackedMatrix::pack(b.view(), Precision::bf16), c.view(), Update::replace);
        multiply_transposed(serial, transposed(a).view(), b.view(), c_transposed.view(), Update::replace,
                            Precision::bf16);
        bool right = true;
        for (std::size_t i = 0; i < 8; ++i) {
            for (std::size_t j = 0; j < 70; ++j) {
                right = right && std::isfinite(c.at(i, j)) == (i != 3 && j != 66);
                right = right && std::isfinite(c_transposed.at(i, j)) == (i != 3 && j != 66);
            }
        }
        CHECK(right);
    });
}

TEST_CASE("an instruction set without products in bf16 says so") {
    const InstructionSet& before = active_instruction_set();
    use_instruction_set(scalar_instruction_set);
    CHECK_FALSE(has_bf16());
    const Framed b(3, 4, 1);
    CHECK_THROWS_AS(PackedMatrix::pack(b.view(), Precision::bf16), UsageError);
    Framed c(4, 4, 2);
    SerialExecutor serial;
    CHECK_THROWS_AS(multiply_transposed(serial, b.view(), b.view(), c.view(), Update::replace, Precision::bf16),
                    UsageError);
    use_instruction_set(before);
}
