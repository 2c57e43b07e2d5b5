#pragma once

#include "core/nn/random.hpp"
#include "core/simd/executor.hpp"
#include "core/simd/views.hpp"

namespace softalign {

/// Dropout (Srivastava et al. 2014), scaled during training: each element is zeroed with probability `rate`, or else
/// divided by 1 - rate. The mask is a function of the stream and the element's place, so the backward pass repeats it.
class Dropout {
  public:
    /// @param rate in [0, 1)
    Dropout(float rate, RandomStream stream) : rate_(rate), stream_(stream) {}

    /// Multiplies the rows by their masks, in place; `first_row` is the place of the matrix's first row.
    void apply(simd::Executor& executor, simd::MutableMatrixView rows, std::size_t first_row = 0) const;

  private:
    float rate_;
    RandomStream stream_;
};

}  // namespace softalign
