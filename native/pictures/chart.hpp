#pragma once

#include <string>
#include <utility>
#include <vector>

namespace softalign {

/// One line or one group of bars, told from the others by colour and by shape.
struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< x, y; a bar's x is the index of its category
    bool reference = false;                         ///< somebody else's figures: drawn thinner, dashed and hollow
};

/// A plain chart of few series: a title that says what is seen, axes, lines or bars.
struct Chart {
    enum class Kind { lines, bars };
    enum class Scale { linear, logarithmic };

    Kind kind = Kind::lines;
    std::string title;
    std::string subtitle;
    std::string x_label;
    std::string y_label;
    Scale y_scale = Scale::linear;
    double y_least = 0;                   ///< the axis spans at least from here …
    double y_most = 0;                    ///< … to here
    std::vector<std::string> categories;  ///< of bars
    int bar_digits = 2;                   ///< decimals of the number above a bar
    std::vector<Series> series;
};

/// The picture as the bytes of a file.
std::string chart_svg(const Chart& chart);
std::string chart_png(const Chart& chart);

/// Round numbers that divide an axis from `least` to `most` into at most `count` parts, the first not above `least` and
/// the last not below `most`.
std::vector<double> axis_ticks(double least, double most, std::size_t count);

}  // namespace softalign
