#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/tensor.hpp"

namespace softalign {

/// An attention picture: what each target word read from which source word.
struct Heatmap {
    std::vector<std::string> source;  ///< words across
    std::vector<std::string> target;  ///< words down
    Matrix weights;                   ///< [target, source], 0 … 1
};

/// Where things are in a drawn heatmap, in pixels (SVG: CSS pixels), from the top left corner.
struct HeatmapLayout {
    double width = 0;
    double height = 0;
    double left = 0;  ///< of the cells
    double top = 0;
    double cell = 0;  ///< distance from one cell to the next, both ways
    double font_size = 0;
    double slant = 0;      ///< angle of the source words, in radians; 0: level
    bool numbers = false;  ///< cells are large enough to show their weight
};

HeatmapLayout lay_out(const Heatmap& heatmap);

/// The picture as the bytes of a file, with text in any script that the system has a font for. A PNG has two pixels for
/// every one of the layout if its size allows it. Throws Error for a picture too large for a PNG.
std::string heatmap_svg(const Heatmap& heatmap);
std::string heatmap_png(const Heatmap& heatmap);

/// The picture in characters: a bar of eighths for every weight, the source words in steps above. If it does not fit
/// into `columns` columns, it continues below.
std::string heatmap_text(const Heatmap& heatmap, std::size_t columns);

}  // namespace softalign
