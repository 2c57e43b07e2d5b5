#include "core/nn/quantize.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using namespace softalign;

namespace {

std::vector<int> values_of(const QuantizedMatrix& quantized) {
    return {quantized.row(0), quantized.row(quantized.rows)};
}

}  // namespace

TEST_CASE("a row's greatest magnitude becomes 127 and halves go to the even number") {
    // The scale is 1.
    const std::vector<float> matrix{127, -127, 0.5F, 1.5F, -0.5F, -2.5F};
    const QuantizedMatrix quantized = quantize(matrix.data(), 1, 6);
    CHECK(quantized.scale == std::vector<float>{1});
    CHECK(values_of(quantized) == std::vector<int>{127, -127, 0, 2, 0, -2});
}

TEST_CASE("every row has its own scale") {
    const std::vector<float> matrix{1, -2, 100, 50};
    const QuantizedMatrix quantized = quantize(matrix.data(), 2, 2);
    CHECK(quantized.scale == std::vector<float>{2.0F / 127, 100.0F / 127});
    CHECK(values_of(quantized) == std::vector<int>{64, -127, 127, 64});
}

TEST_CASE("a quantized number is at most half a step away") {
    std::vector<float> matrix(12 * 50);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = std::sin(static_cast<float>(i * i));
    const QuantizedMatrix quantized = quantize(matrix.data(), 12, 50);
    std::vector<float> restored(matrix.size());
    dequantize(quantized, restored.data());
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        REQUIRE(std::abs(restored[i] - matrix[i]) <= quantized.scale[i / 50] * 0.5001F);
    }
}

TEST_CASE("rows of zeros and of the least numbers stay finite") {
    const float least = std::numeric_limits<float>::denorm_min();
    const std::vector<float> matrix{0, 0, least, -least, 200 * least, 100 * least};
    const QuantizedMatrix quantized = quantize(matrix.data(), 3, 2);
    std::vector<float> restored(matrix.size());
    dequantize(quantized, restored.data());
    CHECK(quantized.scale[0] == 0);
    for (std::size_t i = 0; i < matrix.size(); ++i) CHECK(std::abs(restored[i]) <= 200 * least);
}
