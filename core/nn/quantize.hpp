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

/// What `quantize` does with one row: its scale, and the integers of the row or of a part of it to that scale. The
/// numbers that integers stand for give the same integers again, where one of the row's is 127 or -127.
float scale_of_row(const float* row, std::size_t columns);
void quantize_row(const float* row, std::size_t columns, float scale, std::int8_t* values);

/// Writes the numbers that the rows stand for to `matrix` [rows, columns].
void dequantize(const QuantizedMatrix& quantized, float* matrix);

}  // namespace softalign
