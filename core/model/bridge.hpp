#pragma once

#include <vector>

#include "core/model/parameters.hpp"
#include "core/nn/cell.hpp"
#include "core/nn/projection.hpp"

namespace softalign {

/// From the encoder's final states to the decoder's first, for every layer: tanh(bridge_h h), and tanh(bridge_c c) if
/// the cell has a c; or the states themselves if the configuration has no bridge.
class Bridge {
  public:
    template <typename Weights>
    void set(const Preparation& preparation, const Configuration& configuration,
             const ParametersOf<Weights>& parameters);

    /// @param final_states per layer [B, K]   @return per layer [B, H]
    std::vector<CellState> forward(simd::Executor& executor, const std::vector<CellState>& final_states) const;

    /// @param started what `forward` gave   @param dstarted its gradient   @param gradient is added to
    /// @return the gradient of the final states
    std::vector<CellState> backward(simd::Executor& executor, const std::vector<CellState>& final_states,
                                    const std::vector<CellState>& started, std::vector<CellState> dstarted,
                                    Parameters& gradient) const;

  private:
    struct Side {
        Projection weight;
        Vector bias;
    };
    bool exists_ = false;
    bool has_c_ = false;
    Side h_;
    Side c_;
};

}  // namespace softalign
