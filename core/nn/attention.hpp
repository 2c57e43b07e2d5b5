#pragma once

#include <vector>

#include "core/nn/projection.hpp"
#include "core/nn/score.hpp"

namespace softalign {

/// The encoder's outputs h_i of a batch, sentence after sentence, without padding.
struct SourceStates {
    Matrix states;                   ///< [N, K], N source positions in all
    std::vector<std::size_t> first;  ///< [B + 1] the first row of each sentence

    std::size_t sentences() const { return first.size() - 1; }
    std::size_t length(std::size_t sentence) const { return first[sentence + 1] - first[sentence]; }
    std::size_t longest() const;
};

/// Weights that replace the softmax of query rows: for every row null, or one weight for each source position.
using ImposedWeights = std::vector<const float*>;

/// Scores of decoder queries against every source position, and the contexts read with them:
///     e_i = score(s, h_i),   alpha = softmax over i,   c = sum_i alpha_i h_i
///
///     additive    v · tanh(Wh h_i + Ws s)        Bahdanau, Cho and Bengio 2015, A.1.2
///     concat      v · tanh(W [s; h_i])           Luong, Pham and Manning 2015, equation 8
///     general     h_i · (W s)                    the same
///     dot         h_i · s                        the same
///     scaled_dot  h_i · s / sqrt(size of h_i)    Vaswani et al. 2017, equation 1
///
/// There are two families. `additive` and `concat` (whose W is [Ws, Wh] side by side) add a projected key and a
/// projected query under the tanh; the other three multiply the query with a key, which is h_i itself or, for
/// `general`, W^T h_i. The keys depend on the sentence alone: the caller projects them once and holds them. N source
/// positions in all, S the longest sentence, K = size of h_i, Q = size of s, A attention units, R query rows.
class Attention {
  public:
    /// Lays the weights out. Call it again after they change. A score of `none` makes an empty attention.
    template <typename Weights>
    void set(const Preparation& preparation, Score score, const AttentionSizes& sizes,
             const AttentionParametersOf<Weights>& parameters);

    /// The key side of every position: [N, A], or [N, Q] for `general`; empty if the states are the keys.
    Matrix keys(simd::Executor& executor, const SourceStates& source) const;

    /// What all queries of a batch ask.
    struct Source {
        simd::Executor& executor;
        const SourceStates& states;
        const Matrix& keys;  ///< what `keys` gave
    };
    /// The queries of one step of R rows; row r asks about sentence[r].
    struct Queries {
        simd::MatrixView rows;        ///< [R, Q]
        const std::size_t* sentence;  ///< [R]
    };
    /// What queries read.
    struct Read {
        simd::MutableMatrixView projected;  ///< [R, A] Ws s; no columns if the score has no units
        simd::MutableMatrixView weights;    ///< [R, S] alpha, exactly 0 past the sentence's end
        simd::MutableMatrixView context;    ///< [R, K]
    };
    /// One target step. @param to is overwritten   @param imposed null, or weights that replace the softmax
    void read(const Source& source, const Queries& queries, const Read& to, const ImposedWeights* imposed) const;

    /// The energies of a step that was read. Its weights are their softmax, unless they were imposed.
    /// @param projected [R, A or 0] as `read` left it   @param energies [R, S] receives e up to the sentence's end
    void energies(const Source& source, const Queries& queries, simd::MatrixView projected,
                  simd::MutableMatrixView energies) const;

    /// What the backward pass of all steps of a batch accumulates.
    struct Gradient {
        Matrix keys;    ///< [N, A] or [N, Q]; empty if the states are the keys
        Matrix states;  ///< [N, K]
        Matrix v;       ///< [B, A] per sentence, so that sentences can be processed in parallel
        Gradient(const Attention& attention, const SourceStates& source, const Matrix& keys);
    };
    /// The gradients of one step's rows.
    struct ReadGradient {
        simd::MatrixView context;           ///< [R, K]
        simd::MutableMatrixView projected;  ///< [R, A or 0] receives its gradient
        simd::MutableMatrixView query;      ///< [R, Q] is added to
    };
    /// One target step; the rows belong to different sentences.
    void read_backward(const Source& source, const Queries& queries, const Read& read, const ReadGradient& rows,
                       Gradient& gradient) const;

    /// After the last step: from the keys to the states and to the parameters.
    /// @param queries [all R, Q], dprojected [all R, A]: the rows of all steps
    void finish_backward(const Source& source, simd::MatrixView queries, simd::MatrixView dprojected,
                         Gradient& gradient, AttentionParameters& parameters) const;

  private:
    /// Energies [S] of one row. @param keys [S, key size] of its sentence
    void score(simd::MatrixView keys, const float* query, const float* projected, float* energies) const;
    const Matrix& keys_or_states(const Source& source) const {
        return states_are_keys() ? source.states.states : source.keys;
    }
    bool states_are_keys() const { return key_side_.empty() && stored_W_.size() == 0; }

    Score score_ = Score::none;
    AttentionSizes sizes_{0, 0, 0};
    float scale_ = 1.0F;
    Projection key_side_;
    Projection query_side_;
    Matrix stored_W_{
        Matrix::shape_type{0, 0}};  ///< [K, Q] for `general` in int8: a scale is of a row, what W^T sums over
    Vector v_;
};

/// How far weights are from a sound attention, whose rows sum to one over the source and never read padding.
struct AttentionDiagnosis {
    float largest_sum_error = 0;       ///< of |sum over the source - 1|
    float largest_padding_weight = 0;  ///< greatest weight past a sentence's end
    bool sound() const { return largest_sum_error <= 1e-5F && largest_padding_weight == 0.0F; }
};

/// @param weights [T, S], a row per target step   @param length how many of the S positions are real
AttentionDiagnosis diagnose(simd::MatrixView weights, std::size_t length);

}  // namespace softalign
