#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "core/nn/quantize.hpp"
#include "core/simd/executor.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// The table [V, E] in which words are looked up: row `id` is the vector of a word.
class Embedding {
  public:
    /// Shares the table and follows its changes.
    explicit Embedding(std::shared_ptr<const Matrix> table);
    /// Copies the rows as they are stored, so that the file need not stay in memory.
    explicit Embedding(const QuantizedMatrix& table);

    /// E
    std::size_t size() const;
    /// out_r = table[ids_r]; out [R, E]. The ids are below V.
    void read(const std::vector<int>& ids, simd::MutableMatrixView out) const;

  private:
    std::variant<std::shared_ptr<const Matrix>, QuantizedMatrix> table_;
};

/// table_gradient[ids_r] += gradient_r, in row order.
void embed_backward(const std::vector<int>& ids, simd::MatrixView gradient, Matrix& table_gradient);

}  // namespace softalign
