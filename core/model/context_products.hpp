#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/nn/attention.hpp"
#include "core/nn/projection.hpp"

namespace softalign {

/// Products of the source states with the weights that multiply contexts: once a sentence instead of once a step.
///
/// A context is a weighted sum of source states (Attention), and a product of a sum is the sum of the products:
///     W c = W sum_i alpha_i h_i = sum_i alpha_i (W h_i)
/// so that a step reads one row of W h_i for each of S source positions instead of one column of W for each of the K
/// units of a state. Only for sentences that are short compared with K; the length alone decides.
class ContextProducts {
  public:
    ContextProducts() = default;  ///< for no sentence

    /// @param weights W [out, in]   @param columns [K] of W that read the context. For no sentence unless these are
    /// laid
    ///        out by themselves
    ContextProducts(simd::Executor& executor, const SourceStates& source, const JoinedProjection& weights,
                    ColumnRange columns);

    /// The rows of contexts that a product reads, as x of `Product`.
    struct Readers {
        const std::size_t* sentence;  ///< [R] whose source each row reads; unused if there is no sentence
        simd::MatrixView alpha;       ///< [R, S] with which weights
    };
    /// y [R, out] (+)= x [R, in] W^T + bias
    struct Product {
        simd::MatrixView x;
        simd::MutableMatrixView y;
        simd::Update update;
        const Vector* bias = nullptr;
    };
    /// @param weights W
    void forward(simd::Executor& executor, const JoinedProjection& weights, const Readers& readers,
                 const Product& product) const;

  private:
    std::optional<std::size_t> context_part_;  // the part of the weights that reads the context
    std::vector<std::size_t> first_;           // [B] a sentence's first row of the products
    std::vector<std::size_t> length_;          // [B] 0 if it has none
    Matrix products_;                          // [positions, out]
};

}  // namespace softalign
