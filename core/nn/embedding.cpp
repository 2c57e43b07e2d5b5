#include "core/nn/embedding.hpp"

#include <algorithm>
#include <utility>

#include "core/simd/kernels.hpp"

namespace softalign {

namespace {

QuantizedMatrix copy_of(const QuantizedMatrix& table) {
    const auto values = std::make_shared<std::vector<std::int8_t>>(table.row(0), table.row(table.rows));
    return {table.rows, table.columns, {values, values->data()}, table.scale};
}

}  // namespace

Embedding::Embedding(std::shared_ptr<const Matrix> table) : table_(std::move(table)) {}
Embedding::Embedding(const QuantizedMatrix& table) : table_(copy_of(table)) {}

std::size_t Embedding::size() const {
    if (const auto* quantized = std::get_if<QuantizedMatrix>(&table_)) return quantized->columns;
    return std::get<std::shared_ptr<const Matrix>>(table_)->shape(1);
}

void Embedding::read(const std::vector<int>& ids, simd::MutableMatrixView out) const {
    for (std::size_t r = 0; r < ids.size(); ++r) {
        const auto id = static_cast<std::size_t>(ids[r]);
        if (const auto* quantized = std::get_if<QuantizedMatrix>(&table_)) {
            dequantize_row(*quantized, id, row(out, r));
        } else {
            std::copy_n(row(*std::get<std::shared_ptr<const Matrix>>(table_), id), out.columns, row(out, r));
        }
    }
}

void embed_backward(const std::vector<int>& ids, simd::MatrixView gradient, Matrix& table_gradient) {
    for (std::size_t r = 0; r < ids.size(); ++r) {
        simd::add(row(gradient, r), row(table_gradient, static_cast<std::size_t>(ids[r])), gradient.columns);
    }
}

}  // namespace softalign
