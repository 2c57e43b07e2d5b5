#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace softalign {

/// Int8 rows with one scale each: weight[r, c] = values[r, c] * scale[r].
struct QuantizedMatrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<std::int8_t> values;  ///< [rows, columns], -127 to 127
    std::vector<float> scale;         ///< [rows], not negative
};

/// Symmetric, one scale a row: scale = max |row| / 127, values to the nearest, ties to even. `matrix` [rows, columns]
/// is finite. A row of zeros has scale 0.
QuantizedMatrix quantize(const float* matrix, std::size_t rows, std::size_t columns);

/// Writes the numbers that the rows stand for to `matrix` [rows, columns].
void dequantize(const QuantizedMatrix& quantized, float* matrix);

}  // namespace softalign
