#pragma once

#include <array>
#include <string>

#include "core/names.hpp"
#include "core/nn/cell.hpp"
#include "core/tensor.hpp"

namespace softalign {

/// Where the query comes from and what reads the context: the equations are at the DecoderStyle of each.
enum class Style { none, bahdanau, luong, conditional };

/// What others have to know of a style.
struct StyleKind {
    Style value;
    const char* name;
    bool attends;
    bool reads_word;        ///< the first layer does
    bool reads_context;     ///< the first layer does
    bool can_feed;          ///< the first layer can read the attentional vector of the step before
    bool hands_on_context;  ///< what reads the decoder reads [h; context]
};

inline constexpr std::array<StyleKind, 4> kStyles{
    {{Style::none, "none", false, true, false, false, false},
     {Style::bahdanau, "bahdanau", true, true, true, false, true},
     {Style::luong, "luong", true, true, false, true, false},
     {Style::conditional, "conditional", true, false, true, false, true}}};

constexpr const StyleKind& kind(Style style) {
    return row_of(kStyles, style);
}

/// Sizes that a style's parameters depend on.
struct StyleSizes {
    Cell cell;
    std::size_t embed;   ///< E
    std::size_t hidden;  ///< H
    std::size_t state;   ///< K
};

/// What a style has beside attention and layers.
template <typename Weights>
struct StyleParametersOf {
    Weights combine;                  ///< luong: [H, K + H]
    CellParametersOf<Weights> first;  ///< conditional: the cell that reads the word
};

/// @tparam Parameters StyleParametersOf, const or not   @param parameter what visit_linear has, with a whole name
template <typename Parameters, typename Visitor>
void visit_style(Parameters& parameters, const Visitor& parameter, Style style, const StyleSizes& sizes) {
    const std::size_t joined = sizes.state + sizes.hidden;
    if (style == Style::luong) {
        parameter("combine.weight", parameters.combine, Shape{sizes.hidden, joined}, glorot(sizes.hidden, joined),
                  reads(Per::target_word, joined));
    } else if (style == Style::conditional) {
        const auto of_first = [&](const char* name, auto& tensor, const Shape& shape, const InitialValues& initial,
                                  const Reads& read) {
            parameter(std::string("first.") + name, tensor, shape, initial, read);
        };
        visit_cell(parameters.first, of_first, sizes.cell, CellSizes{sizes.hidden, sizes.embed}, Per::target_word);
    }
}

}  // namespace softalign
