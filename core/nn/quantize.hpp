#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tensor.hpp"

namespace softalign {

/// Int8 rows with one scale each: weight[r, c] = values[r, c] * scale[r].
struct QuantizedMatrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    /// [rows, columns], -127 to 127. Shared and never changed, so that it can be part of a file's bytes.
    std::shared_ptr<const std::int8_t> values;
    std::vector<float> scale;  ///< [rows], not negative

    const std::int8_t* row(std::size_t r) const { return values.get() + r * columns; }
};

/// Symmetric, with one scale per row: scale = max |row| / 127, values rounded to nearest, ties to even. `matrix`
/// [rows, columns] is finite. A row of zeros has scale 0.
QuantizedMatrix quantize(const float* matrix, std::size_t rows, std::size_t columns);

/// Writes the numbers of one row to `out` [columns].
void dequantize_row(const QuantizedMatrix& quantized, std::size_t row, float* out);
/// Writes the numbers of all rows to `matrix` [rows, columns].
void dequantize(const QuantizedMatrix& quantized, float* matrix);

/// The numbers of a matrix, however they are stored.
inline const Matrix& floats_of(const Matrix& matrix) {
    return matrix;
}
Matrix floats_of(const QuantizedMatrix& quantized);

}  // namespace softalign
