#include <algorithm>
#include <cmath>

#include "native/pictures/canvas.hpp"
#include "native/pictures/colour_ramp.hpp"
#include "native/pictures/heatmap.hpp"

namespace softalign {

using namespace pictures;

namespace {

constexpr double kLabelGap = 8;        // between a label and the cells
constexpr double kLongestLabel = 200;  // the rest becomes an ellipsis
constexpr double kSlant = 50.0 / 180.0 * 3.14159265358979323846;
constexpr double kLeastCellWithNumber = 34;
constexpr float kFaintWeight = 0.1F;  // the numbers of fainter ones must not catch the eye
constexpr double kLegendHeight = 58;
constexpr double kLegendWidth = 180;

/// Space between two cells.
double gap_of(const HeatmapLayout& layout) {
    return std::min(2.0, layout.cell / 16);
}

/// The middle of a cell's row or column.
double centre_of(const HeatmapLayout& layout, std::size_t index) {
    return static_cast<double>(index) * layout.cell + (layout.cell - gap_of(layout)) / 2;
}

/// In hundredths; nothing for a weight that rounds to zero.
std::string percent(float weight) {
    const long hundredths = std::lround(weight * 100);
    return hundredths == 0 ? "" : std::to_string(hundredths);
}

void draw_cells(cairo_t* context, const Heatmap& heatmap, const HeatmapLayout& layout) {
    const double side = layout.cell - gap_of(layout);
    const double radius = std::min(4.0, layout.cell / 8);
    for (std::size_t t = 0; t < heatmap.target.size(); ++t) {
        for (std::size_t s = 0; s < heatmap.source.size(); ++s) {
            const float weight = heatmap.weights(t, s);
            const Colour colour = ramp_colour(static_cast<double>(weight));
            const double x = layout.left + static_cast<double>(s) * layout.cell;
            const double y = layout.top + static_cast<double>(t) * layout.cell;
            rounded_rectangle(context, {x, y, side, side}, radius);
            set_colour(context, colour);
            cairo_fill(context);
            if (!layout.numbers) continue;
            const Label number(context, percent(weight), std::min(13.0, layout.cell * 0.3));
            number.draw(x + (side - number.width()) / 2, y + (side - number.height()) / 2,
                        weight < kFaintWeight ? kMuted : ink_on(colour));
        }
    }
}

void draw_source(cairo_t* context, const Heatmap& heatmap, const HeatmapLayout& layout) {
    for (std::size_t s = 0; s < heatmap.source.size(); ++s) {
        const Label label(context, heatmap.source[s], layout.font_size, kLongestLabel);
        const double centre = layout.left + centre_of(layout, s);
        if (layout.slant == 0) {
            label.draw(centre - label.width() / 2, layout.top - kLabelGap - label.height(), kText);
            continue;
        }
        cairo_save(context);
        cairo_translate(context, centre, layout.top - kLabelGap);
        cairo_rotate(context, -layout.slant);
        label.draw(0, -label.height() / 2, kText);
        cairo_restore(context);
    }
}

void draw_target(cairo_t* context, const Heatmap& heatmap, const HeatmapLayout& layout) {
    for (std::size_t t = 0; t < heatmap.target.size(); ++t) {
        const Label label(context, heatmap.target[t], layout.font_size, kLongestLabel);
        const double centre = layout.top + centre_of(layout, t);
        label.draw(layout.left - kLabelGap - label.width(), centre - label.height() / 2, kText);
    }
}

void draw_legend(cairo_t* context, const HeatmapLayout& layout, double below) {
    constexpr double kBarHeight = 10;
    const double y = below + 24;
    const Owned<cairo_pattern_t> ramp(cairo_pattern_create_linear(layout.left, 0, layout.left + kLegendWidth, 0));
    constexpr int kStops = 32;
    for (int i = 0; i <= kStops; ++i) {
        const double at = static_cast<double>(i) / kStops;
        const Colour colour = ramp_colour(at);
        cairo_pattern_add_color_stop_rgb(ramp.get(), at, colour.red, colour.green, colour.blue);
    }
    rounded_rectangle(context, {layout.left, y, kLegendWidth, kBarHeight}, 3);
    cairo_set_source(context, ramp.get());
    cairo_fill(context);

    const double font_size = 11;
    for (const auto& [text, at] : {std::pair("0", 0.0), std::pair("50", 0.5), std::pair("100 %", 1.0)}) {
        const Label number(context, text, font_size);
        number.draw(layout.left + at * (kLegendWidth - number.width()), y + kBarHeight + 5, kMuted);
    }
    const Label caption(context, "attention", font_size);
    caption.draw(layout.left - kLabelGap - caption.width(), y + (kBarHeight - caption.height()) / 2, kMuted);
}

void draw(cairo_t* context, const Heatmap& heatmap, const HeatmapLayout& layout) {
    draw_source(context, heatmap, layout);
    draw_target(context, heatmap, layout);
    draw_cells(context, heatmap, layout);
    draw_legend(context, layout, layout.top + static_cast<double>(heatmap.target.size()) * layout.cell);
}

Page page_of(const Heatmap& heatmap) {
    const HeatmapLayout layout = lay_out(heatmap);
    return {layout.width, layout.height, "Attention: source words across, target words down",
            [&heatmap, layout](cairo_t* context) { draw(context, heatmap, layout); }};
}

}  // namespace

HeatmapLayout lay_out(const Heatmap& heatmap) {
    const auto source_count = static_cast<double>(heatmap.source.size());
    const auto target_count = static_cast<double>(heatmap.target.size());
    HeatmapLayout layout;
    layout.cell = std::clamp(640 / std::max({source_count, target_count, 1.0}), 18.0, 56.0);
    layout.font_size = std::clamp(layout.cell * 0.5, 12.0, 16.0);
    layout.numbers = layout.cell >= kLeastCellWithNumber;

    const Ruler ruler;
    const auto widest = [&](const std::vector<std::string>& texts) {
        double width = 0;
        for (const std::string& text : texts)
            width = std::max(width, Label(ruler.context(), text, layout.font_size, kLongestLabel).width());
        return width;
    };
    const double line_height = Label(ruler.context(), "x", layout.font_size).height();
    const double caption = Label(ruler.context(), "attention", 11).width();
    const double widest_source = widest(heatmap.source);

    layout.left = kMargin + std::max(widest(heatmap.target), caption) + kLabelGap;
    layout.slant = widest_source <= layout.cell - 6 ? 0 : kSlant;
    double right = source_count * layout.cell;
    if (layout.slant == 0) {
        layout.top = kMargin + line_height + kLabelGap;
    } else {
        layout.top = kMargin + widest_source * std::sin(kSlant) + line_height / 2 + kLabelGap;
        for (std::size_t s = 0; s < heatmap.source.size(); ++s) {
            const double width = Label(ruler.context(), heatmap.source[s], layout.font_size, kLongestLabel).width();
            right = std::max(right,
                             (static_cast<double>(s) + 0.5) * layout.cell + width * std::cos(kSlant) + line_height / 2);
        }
    }
    layout.width = std::ceil(layout.left + std::max(right, kLegendWidth) + kMargin);
    layout.height = std::ceil(layout.top + target_count * layout.cell + kLegendHeight + kMargin / 2);
    return layout;
}

std::string heatmap_svg(const Heatmap& heatmap) {
    return page_svg(page_of(heatmap));
}

std::string heatmap_png(const Heatmap& heatmap) {
    return page_png(page_of(heatmap));
}

}  // namespace softalign
