#pragma once

#include <array>
#include <vector>

#include "core/names.hpp"
#include "core/nn/parameter.hpp"
#include "core/nn/projection.hpp"
#include "core/nn/rows.hpp"

namespace softalign {

/// What a recurrent layer computes in one step. H units, I inputs; x the input, h and c the state before.
///
///     lstm    i, f, o = sigmoid(...), g = tanh(...) of  W_ih x + b_ih + W_hh h + b_hh,
///             c' = f*c + i*g,   h' = o*tanh(c')      Hochreiter and Schmidhuber 1997, with a forget gate
///     gru     r, z = sigmoid(W_ih x + b_ih + W_hh h + b_hh),   n = tanh(W_ih x + b_ih + r*(W_hh h + b_hh)),
///             h' = (1 - z)*n + z*h                   Cho et al. 2014, in PyTorch's form: the reset gate r acts after
///             the
///                                                    recurrent product, in the paper before it
enum class Cell { lstm, gru };

/// What others have to know of a cell.
struct CellKind {
    Cell value;
    const char* name;
    std::size_t gates;    ///< its matrices have so many rows for each unit
    bool has_c;           ///< carries a cell state c besides h
    bool adds_recurrent;  ///< its gates read the sum of the input's and the state's product, not each for itself
    bool starts_open;     ///< the second gate, which forgets, does (Jozefowicz, Zaremba and Sutskever 2015)
};

inline constexpr std::array<CellKind, 2> kCells{
    {{Cell::lstm, "lstm", 4, true, true, true}, {Cell::gru, "gru", 3, false, false, false}}};

constexpr const CellKind& kind(Cell cell) {
    return row_of(kCells, cell);
}

/// One recurrent layer of one direction, G gates a unit.
template <typename Weights>
struct CellParametersOf {
    Weights weight_ih;  ///< [G H, I]
    Weights weight_hh;  ///< [G H, H]
    Vector bias_ih;     ///< [G H]
    Vector bias_hh;     ///< [G H]
};
using CellParameters = CellParametersOf<Matrix>;

/// Sizes of a recurrent layer.
struct CellSizes {
    std::size_t hidden;  ///< H
    std::size_t input;   ///< I
};

/// @tparam Parameters CellParametersOf, const or not
template <typename Parameters, typename Visitor>
void visit_cell(Parameters& parameters, const Visitor& parameter, Cell cell, const CellSizes& sizes, Per per) {
    const std::size_t hidden = sizes.hidden;
    const std::size_t rows = kind(cell).gates * hidden;
    const InitialValues open_gate{0.0, hidden, kind(cell).starts_open ? hidden : 0};
    parameter("weight_ih", parameters.weight_ih, Shape{rows, sizes.input}, within_root_of(hidden),
              reads(per, sizes.input));
    parameter("weight_hh", parameters.weight_hh, Shape{rows, hidden}, within_root_of(hidden), reads(per, hidden));
    parameter("bias_ih", parameters.bias_ih, Shape{rows}, open_gate, reads(per, 1));
    parameter("bias_hh", parameters.bias_hh, Shape{rows}, starting_at_zero(), reads(per, 1));
}

/// What a step hands to the next, a row for each sentence or hypothesis.
struct CellState {
    Matrix h;  ///< [R, H]
    Matrix c;  ///< [R, H]; [R, 0] for a cell without

    static CellState zeros(Cell cell, std::size_t rows, std::size_t hidden);
};
CellState gather_rows(const CellState& state, const std::vector<std::size_t>& rows);
CellState scatter_rows(const CellState& state, const std::vector<std::size_t>& rows);

/// Rows of a state.
struct CellStateView {
    simd::MatrixView h;  ///< without rows: a state of zeros
    simd::MatrixView c;

    CellStateView rows_from(std::size_t first, std::size_t count) const {
        return {h.rows_from(first, count), c.rows_from(first, count)};
    }
};
inline CellStateView view(const CellState& state) {
    return {view(state.h), view(state.c)};
}

/// The values of many rows: of one step, or of all steps of a batch.
struct CellTrace {
    Matrix gates;      ///< [R, G H] activations; the backward pass turns them into gradients of the input's product
    Matrix recurrent;  ///< [R, G H] the state's product, then its gradient, where the gates read it for itself; else
                       ///< [R, 0]
    Matrix c;          ///< [R, H] or [R, 0]
    Matrix tanh_c;     ///< [R, H] or [R, 0]
    Matrix h;          ///< [R, H] the outputs

    CellTrace() = default;
    CellTrace(Cell cell, std::size_t rows, std::size_t hidden);

    CellStateView state(std::size_t first, std::size_t count) const {
        return {view(h).rows_from(first, count), view(c).rows_from(first, count)};
    }
};

/// The rows of a trace that one step is about.
struct CellRows {
    CellTrace& trace;
    std::size_t first;
    std::size_t count;

    simd::MutableMatrixView gates() const { return view(trace.gates).rows_from(first, count); }
};

/// One step of a recurrent layer, but for the product of its inputs, which may be computed for many steps at once.
class RecurrentCell {
  public:
    template <typename Weights>
    void set(const Preparation& preparation, Cell cell, const CellParametersOf<Weights>& parameters);

    Cell cell() const { return cell_; }
    std::size_t hidden() const { return hidden_; }
    /// [G H] What the product of the inputs is added to.
    const Vector& input_bias() const { return input_bias_; }

    /// @param rows whose gates hold W_ih x + input_bias()
    void step(simd::Executor& executor, const CellStateView& previous, const CellRows& rows) const;

    /// @param state comes in with the gradient of the rows' state and leaves with that of `previous`, if that has rows
    void step_backward(simd::Executor& executor, const CellStateView& previous, const CellRows& rows,
                       CellState& state) const;

    /// After the backward of all steps. Adds to all parameters but weight_ih.
    /// @param previous_h [R', H] what the last R' rows of the trace read; those before read zeros
    void add_gradients(simd::Executor& executor, const CellTrace& trace, simd::MatrixView previous_h,
                       CellParameters& gradient) const;

  private:
    Cell cell_ = Cell::lstm;
    std::size_t hidden_ = 0;
    Projection recurrent_;
    Vector input_bias_;
    Vector recurrent_bias_;  // where the gates read the state's product for itself
};

}  // namespace softalign
