#include "core/nn/quantize.hpp"

#include <algorithm>
#include <cmath>

namespace softalign {
namespace {

constexpr float kGreatest = 127.0F;

}  // namespace

QuantizedMatrix quantize(const float* matrix, std::size_t rows, std::size_t columns) {
    QuantizedMatrix quantized{rows, columns, std::vector<std::int8_t>(rows * columns), std::vector<float>(rows)};
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = matrix + r * columns;
        float greatest = 0;
        for (std::size_t c = 0; c < columns; ++c) greatest = std::max(greatest, std::abs(row[c]));
        const float scale = greatest / kGreatest;
        quantized.scale[r] = scale;
        if (scale == 0) continue;  // zeros, or so small that their scale vanishes
        for (std::size_t c = 0; c < columns; ++c) {
            // A subnormal scale is coarse: the quotient may exceed 127.
            const float value = std::clamp(std::nearbyint(row[c] / scale), -kGreatest, kGreatest);
            quantized.values[r * columns + c] = static_cast<std::int8_t>(value);
        }
    }
    return quantized;
}

void dequantize(const QuantizedMatrix& quantized, float* matrix) {
    for (std::size_t r = 0; r < quantized.rows; ++r) {
        for (std::size_t c = 0; c < quantized.columns; ++c) {
            const std::size_t i = r * quantized.columns + c;
            matrix[i] = static_cast<float>(quantized.values[i]) * quantized.scale[r];
        }
    }
}

}  // namespace softalign
