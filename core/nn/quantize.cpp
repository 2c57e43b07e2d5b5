#include "core/nn/quantize.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace softalign {
namespace {

constexpr float kGreatest = 127.0F;

std::int32_t bits_of(float value) {
    std::int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Both loops are written so that compilers vectorise them.

float scale_of_row(const float* row, std::size_t columns) {
    std::int32_t greatest_bits = 0;  // the bits of magnitudes are in the order of the magnitudes
    for (std::size_t c = 0; c < columns; ++c) {
        greatest_bits = std::max(greatest_bits, bits_of(row[c]) & std::numeric_limits<std::int32_t>::max());
    }
    float greatest;
    std::memcpy(&greatest, &greatest_bits, sizeof greatest);
    return greatest / kGreatest;
}

void quantize_row(const float* row, std::size_t columns, float scale, std::int8_t* values) {
    if (scale == 0) {  // zeros, or so small that their scale vanishes
        std::fill_n(values, columns, std::int8_t{0});
        return;
    }
    // 1.5 * 2^23: adding it rounds to the nearest integer, ties to even, and leaves that in the lowest bits.
    constexpr float rounder = 12582912.0F;
    const std::int32_t rounder_bits = bits_of(rounder);
    for (std::size_t c = 0; c < columns; ++c) {
        // A subnormal scale is coarse: the quotient may exceed 127.
        const float steps = std::min(kGreatest, std::max(-kGreatest, row[c] / scale));
        values[c] = static_cast<std::int8_t>(bits_of(steps + rounder) - rounder_bits);
    }
}

}  // namespace

QuantizedMatrix quantize(const float* matrix, std::size_t rows, std::size_t columns) {
    const auto values = std::make_shared<std::vector<std::int8_t>>(rows * columns);
    QuantizedMatrix quantized{rows, columns, {values, values->data()}, std::vector<float>(rows)};
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = matrix + r * columns;
        quantized.scale[r] = scale_of_row(row, columns);
        quantize_row(row, columns, quantized.scale[r], values->data() + r * columns);
    }
    return quantized;
}

void dequantize_row(const QuantizedMatrix& quantized, std::size_t row, float* out) {
    const std::int8_t* values = quantized.row(row);
    const float scale = quantized.scale[row];
    for (std::size_t c = 0; c < quantized.columns; ++c) out[c] = static_cast<float>(values[c]) * scale;
}

void dequantize(const QuantizedMatrix& quantized, float* matrix) {
    for (std::size_t r = 0; r < quantized.rows; ++r) dequantize_row(quantized, r, matrix + r * quantized.columns);
}

Matrix floats_of(const QuantizedMatrix& quantized) {
    Matrix matrix({quantized.rows, quantized.columns});
    dequantize(quantized, matrix.data());
    return matrix;
}

}  // namespace softalign
