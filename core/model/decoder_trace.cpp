#include "core/model/decoder_trace.hpp"

namespace softalign {

DecoderState gather_rows(const DecoderState& state, const std::vector<std::size_t>& rows) {
    return gather_rows(view(state), rows);
}

PreviousState PreviousState::rows_from(std::size_t first, std::size_t count) const {
    PreviousState result{{}, feed.rows_from(first, count)};
    for (const CellStateView& layer : layers) result.layers.push_back(layer.rows_from(first, count));
    return result;
}

PreviousState view(const DecoderState& state) {
    PreviousState result{{}, view(state.feed)};
    for (const CellState& layer : state.layers) result.layers.push_back(view(layer));
    return result;
}

DecoderState gather_rows(const PreviousState& state, const std::vector<std::size_t>& rows) {
    DecoderState result{{}, gather_rows(state.feed, rows)};
    for (const CellStateView& layer : state.layers) {
        result.layers.push_back({gather_rows(layer.h, rows), gather_rows(layer.c, rows)});
    }
    return result;
}

DecoderTrace::DecoderTrace(const Configuration& configuration, std::size_t rows, std::size_t longest_source)
    : feeds(configuration.input_feeding) {
    const StyleKind& style = kind(configuration.style);
    const std::size_t hidden = configuration.dec_hidden;
    const std::size_t state = configuration.source_size();
    const bool combines = style.attends && !style.hands_on_context;
    embedded = matrix(rows, configuration.embed);
    first_cell = CellTrace(configuration.cell, style.reads_word ? 0 : rows, hidden);
    for (std::size_t l = 0; l < configuration.layers; ++l) {
        layers.push_back({matrix(rows, l > 0 ? hidden : 0), CellTrace(configuration.cell, rows, hidden)});
    }
    projected = matrix(rows, kind(configuration.score).has_units ? configuration.attn : 0);
    weights = matrix(rows, style.attends ? longest_source : 0);
    context = matrix(rows, style.attends ? state : 0);
    combined = matrix(rows, combines ? state + hidden : 0);
    features = matrix(rows, style.attends ? configuration.decoder_output_size() : 0);
    readout_in =
        matrix(rows, configuration.readout > 0 ? configuration.decoder_output_size() + configuration.embed : 0);
    readout = matrix(rows, configuration.readout);
}

PreviousState DecoderTrace::state(std::size_t first, std::size_t count) const {
    PreviousState result{{}, feeds ? view(features).rows_from(first, count) : simd::MatrixView{nullptr, count, 0, 0}};
    for (const Layer& layer : layers) result.layers.push_back(layer.cell.state(first, count));
    return result;
}

PreviousState DecoderPass::previous(std::size_t step) const {
    const std::size_t count = layout.active(step);
    return step > 0 ? trace.state(layout.first[step - 1], count) : view(start).rows_from(0, count);
}

}  // namespace softalign
