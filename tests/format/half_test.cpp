#include "core/format/half.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using namespace softalign;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// By the definition of binary16.
double half_value(unsigned bits) {
    const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const double fraction = bits & 0x3FFU;
    if (exponent == 31) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

}  // namespace

TEST_CASE("every binary16 number is read exactly and written back as its own bits") {
    for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = float_from_half(half);
        if (std::isnan(half_value(bits))) {
            REQUIRE(std::isnan(value));
            REQUIRE(std::isnan(float_from_half(half_from_float(value))));
        } else {
            REQUIRE(value == half_value(bits));
            REQUIRE(std::signbit(value) == ((bits & 0x8000U) != 0));
            REQUIRE(half_from_float(value) == half);
        }
    }
}

TEST_CASE("a float becomes the nearest binary16 number, the even one of two") {
    for (unsigned bits = 0; bits < 0x7C00; ++bits) {
        const float low = float_from_half(static_cast<std::uint16_t>(bits));
        const float high = bits == 0x7BFF ? 65536.0F : float_from_half(static_cast<std::uint16_t>(bits + 1));
        const float middle = (low + high) / 2;  // exact in a float
        const unsigned even = bits % 2 == 0 ? bits : bits + 1;
        REQUIRE(half_from_float(middle) == even);
        REQUIRE(half_from_float(std::nextafter(middle, 0.0F)) == bits);
        REQUIRE(half_from_float(std::nextafter(middle, kInfinity)) == bits + 1);
        REQUIRE(half_from_float(-middle) == (even | 0x8000U));
    }
}

TEST_CASE("what binary16 cannot hold becomes infinite, NaN stays NaN") {
    CHECK(half_from_float(65520.0F) == 0x7C00);
    CHECK(half_from_float(1e30F) == 0x7C00);
    CHECK(half_from_float(-kInfinity) == 0xFC00);
    CHECK(std::isnan(float_from_half(half_from_float(std::nanf("")))));
    CHECK(half_from_float(std::numeric_limits<float>::denorm_min()) == 0);
}

TEST_CASE("bfloat16 is the upper half of a float") {
    CHECK(float_from_bfloat(0x3F80) == 1.0F);
    CHECK(float_from_bfloat(0xC040) == -3.0F);
    CHECK(float_from_bfloat(0x0001) == std::ldexp(1.0F, -133));
    CHECK(float_from_bfloat(0x7F80) == kInfinity);
    CHECK(std::isnan(float_from_bfloat(0x7FC0)));
}

TEST_CASE("a double on the border of infinity is rounded as IEEE 754 says") {
    CHECK(float_from_double(0x1.fffffefffffffp127) == std::numeric_limits<float>::max());
    CHECK(float_from_double(0x1.ffffffp127) == kInfinity);
    CHECK(float_from_double(-0x1p128) == -kInfinity);
    CHECK(std::isnan(float_from_double(std::nan(""))));
}
