#include <algorithm>
#include <cmath>

#include "native/pictures/heatmap.hpp"
#include "native/say/terminal.hpp"

namespace softalign {

namespace {

constexpr std::size_t kCellWidth = 2;
constexpr std::size_t kWidestLabel = 24;
constexpr std::size_t kLeastCells = 4;  // a part with fewer is of no use

std::string shortened(const std::string& label) {
    if (terminal::display_width(label) <= kWidestLabel) return label;
    return std::string(terminal::cut(label, kWidestLabel - 1)) + "…";
}

std::string spaces(std::size_t count) {
    return std::string(count, ' ');
}

/// One block character, from empty to full in eighths.
const char* block(float weight) {
    static const char* const kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    return kBlocks[std::lround(std::clamp(weight, 0.0F, 1.0F) * 8)];
}

std::string without_trailing_spaces(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// The columns [first, last) of the picture.
std::string part(const Heatmap& heatmap, std::size_t label_width, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t s = first; s < last; ++s) {
        std::string line = spaces(label_width + 1);
        for (std::size_t before = first; before < s; ++before) line += "│" + spaces(kCellWidth - 1);
        text += line + shortened(heatmap.source[s]) + "\n";
    }
    std::string stems = spaces(label_width + 1);
    for (std::size_t s = first; s < last; ++s) stems += "│" + spaces(kCellWidth - 1);
    text += without_trailing_spaces(stems) + "\n";
    for (std::size_t t = 0; t < heatmap.target.size(); ++t) {
        const std::string label = shortened(heatmap.target[t]);
        std::string line = spaces(label_width - terminal::display_width(label)) + label + " ";
        for (std::size_t s = first; s < last; ++s) {
            for (std::size_t i = 0; i < kCellWidth; ++i) line += block(heatmap.weights(t, s));
        }
        text += without_trailing_spaces(line) + "\n";
    }
    return text;
}

}  // namespace

std::string heatmap_text(const Heatmap& heatmap, std::size_t columns) {
    std::size_t label_width = 0;
    for (const std::string& label : heatmap.target) {
        label_width = std::max(label_width, terminal::display_width(shortened(label)));
    }
    std::size_t source_width = 0;
    for (const std::string& label : heatmap.source) {
        source_width = std::max(source_width, terminal::display_width(shortened(label)));
    }
    // The last source word of a part extends beyond its cells.
    const std::size_t beside_cells = label_width + 1 + source_width;
    const std::size_t room = columns > beside_cells ? (columns - beside_cells) / kCellWidth : 0;
    const std::size_t cells = std::max(kLeastCells, room);

    std::string text;
    for (std::size_t first = 0; first < heatmap.source.size(); first += cells) {
        if (first > 0) text += "\n";
        text += part(heatmap, label_width, first, std::min(first + cells, heatmap.source.size()));
    }
    return text + "\nweight: ▁ 1/8  ▄ 1/2  █ 1\n";
}

}  // namespace softalign
