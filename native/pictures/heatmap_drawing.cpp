#include <cairo-svg.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "native/pictures/colour_ramp.hpp"
#include "native/pictures/heatmap.hpp"

namespace softalign {

namespace {

constexpr double kMargin = 24;
constexpr double kLabelGap = 8;        // between a label and the cells
constexpr double kLongestLabel = 200;  // the rest becomes an ellipsis
constexpr double kSlant = 50.0 / 180.0 * 3.14159265358979323846;
constexpr double kLeastCellWithNumber = 34;
constexpr float kFaintWeight = 0.1F;  // its number must not draw the eye
constexpr double kLegendHeight = 58;
constexpr double kLegendWidth = 180;
constexpr double kLargestPng = 1.2e8;  // pixels
constexpr const char* kFont = "Sans";
constexpr Colour kText{0.13, 0.12, 0.18};
constexpr Colour kMuted{0.42, 0.41, 0.48};

struct Release {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
    void operator()(cairo_pattern_t* pattern) const { cairo_pattern_destroy(pattern); }
    void operator()(PangoLayout* layout) const { g_object_unref(layout); }
    void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
};
template <typename Resource>
using Owned = std::unique_ptr<Resource, Release>;

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) throw Error(std::string("cannot draw: ") + cairo_status_to_string(status));
}

void set_colour(cairo_t* context, const Colour& colour) {
    cairo_set_source_rgb(context, colour.red, colour.green, colour.blue);
}

/// One line of text, laid out.
class Label {
  public:
    Label(cairo_t* context, const std::string& text, double font_size, double longest = kLongestLabel)
        : context_(context), layout_(pango_cairo_create_layout(context)) {
        const Owned<PangoFontDescription> font(pango_font_description_from_string(kFont));
        pango_font_description_set_absolute_size(font.get(), font_size * PANGO_SCALE);
        pango_layout_set_font_description(layout_.get(), font.get());
        pango_layout_set_single_paragraph_mode(layout_.get(), TRUE);
        pango_layout_set_text(layout_.get(), text.data(), static_cast<int>(text.size()));
        measure();
        if (width_ <= longest) return;
        pango_layout_set_width(layout_.get(), static_cast<int>(longest * PANGO_SCALE));
        pango_layout_set_ellipsize(layout_.get(), PANGO_ELLIPSIZE_END);
        measure();
    }

    double width() const { return width_; }
    double height() const { return height_; }

    /// @param x, y its top left corner
    void draw(double x, double y, const Colour& colour) const {
        cairo_move_to(context_, x - left_, y);
        set_colour(context_, colour);
        pango_cairo_show_layout(context_, layout_.get());
    }

  private:
    void measure() {
        PangoRectangle extents;
        pango_layout_get_extents(layout_.get(), nullptr, &extents);
        // A right-to-left line that has been cut begins where its width ends.
        left_ = pango_units_to_double(extents.x);
        width_ = pango_units_to_double(extents.width);
        height_ = pango_units_to_double(extents.height);
    }

    cairo_t* context_;
    Owned<PangoLayout> layout_;
    double left_ = 0;
    double width_ = 0;
    double height_ = 0;
};

void rounded_rectangle(cairo_t* context, double x, double y, double width, double height, double radius) {
    constexpr double kQuarter = 1.57079632679489661923;
    cairo_new_sub_path(context);
    cairo_arc(context, x + width - radius, y + radius, radius, -kQuarter, 0);
    cairo_arc(context, x + width - radius, y + height - radius, radius, 0, kQuarter);
    cairo_arc(context, x + radius, y + height - radius, radius, kQuarter, 2 * kQuarter);
    cairo_arc(context, x + radius, y + radius, radius, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(context);
}

/// Space between two cells.
double gap_of(const HeatmapLayout& layout) {
    return std::min(2.0, layout.cell / 16);
}

/// The middle of a cell's row or column.
double centre_of(const HeatmapLayout& layout, std::size_t index) {
    return static_cast<double>(index) * layout.cell + (layout.cell - gap_of(layout)) / 2;
}

/// In hundredths; what rounds to nothing is not worth a number.
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
            rounded_rectangle(context, x, y, side, side, radius);
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
        const Label label(context, heatmap.source[s], layout.font_size);
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
        const Label label(context, heatmap.target[t], layout.font_size);
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
    rounded_rectangle(context, layout.left, y, kLegendWidth, kBarHeight, 3);
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
    cairo_set_source_rgb(context, 1, 1, 1);
    cairo_paint(context);
    draw_source(context, heatmap, layout);
    draw_target(context, heatmap, layout);
    draw_cells(context, heatmap, layout);
    draw_legend(context, layout, layout.top + static_cast<double>(heatmap.target.size()) * layout.cell);
    check(cairo_status(context));
}

cairo_status_t append_to_string(void* string, const unsigned char* bytes, unsigned length) {
    static_cast<std::string*>(string)->append(reinterpret_cast<const char*>(bytes), length);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

HeatmapLayout lay_out(const Heatmap& heatmap) {
    const auto source_count = static_cast<double>(heatmap.source.size());
    const auto target_count = static_cast<double>(heatmap.target.size());
    HeatmapLayout layout;
    layout.cell = std::clamp(640 / std::max({source_count, target_count, 1.0}), 18.0, 56.0);
    layout.font_size = std::clamp(layout.cell * 0.5, 12.0, 16.0);
    layout.numbers = layout.cell >= kLeastCellWithNumber;

    const Owned<cairo_surface_t> nothing(cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr));
    const Owned<cairo_t> context(cairo_create(nothing.get()));
    const auto widest = [&](const std::vector<std::string>& texts) {
        double width = 0;
        for (const std::string& text : texts)
            width = std::max(width, Label(context.get(), text, layout.font_size).width());
        return width;
    };
    const double line_height = Label(context.get(), "x", layout.font_size).height();
    const double caption = Label(context.get(), "attention", 11).width();
    const double widest_source = widest(heatmap.source);

    layout.left = kMargin + std::max(widest(heatmap.target), caption) + kLabelGap;
    layout.slant = widest_source <= layout.cell - 6 ? 0 : kSlant;
    double right = source_count * layout.cell;
    if (layout.slant == 0) {
        layout.top = kMargin + line_height + kLabelGap;
    } else {
        layout.top = kMargin + widest_source * std::sin(kSlant) + line_height / 2 + kLabelGap;
        for (std::size_t s = 0; s < heatmap.source.size(); ++s) {
            const double width = Label(context.get(), heatmap.source[s], layout.font_size).width();
            right = std::max(right,
                             (static_cast<double>(s) + 0.5) * layout.cell + width * std::cos(kSlant) + line_height / 2);
        }
    }
    layout.width = std::ceil(layout.left + std::max(right, kLegendWidth) + kMargin);
    layout.height = std::ceil(layout.top + target_count * layout.cell + kLegendHeight + kMargin / 2);
    return layout;
}

std::string heatmap_svg(const Heatmap& heatmap) {
    const HeatmapLayout layout = lay_out(heatmap);
    std::string svg;
    {
        const Owned<cairo_surface_t> surface(
            cairo_svg_surface_create_for_stream(append_to_string, &svg, layout.width, layout.height));
        cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
        const Owned<cairo_t> context(cairo_create(surface.get()));
        draw(context.get(), heatmap, layout);
        cairo_surface_finish(surface.get());
        check(cairo_surface_status(surface.get()));
    }
    // Cairo writes words as outlines; a title is what a screen reader has to go by.
    const std::size_t end_of_root = svg.find('>', svg.find("<svg"));
    if (end_of_root == std::string::npos) throw Error("cannot draw: Cairo wrote no SVG");
    svg.insert(end_of_root, " role=\"img\"");
    svg.insert(svg.find('>', end_of_root) + 1, "\n<title>Attention: source words across, target words down</title>");
    return svg;
}

std::string heatmap_png(const Heatmap& heatmap) {
    const HeatmapLayout layout = lay_out(heatmap);
    const auto fits = [&](double scale) {
        constexpr double kLongestSide = 32767;  // Cairo's
        return layout.width * layout.height * scale * scale <= kLargestPng &&
               std::max(layout.width, layout.height) * scale <= kLongestSide;
    };
    if (!fits(1)) throw Error("the picture is too large for a PNG; write an SVG");
    const double scale = fits(2) ? 2 : 1;
    const Owned<cairo_surface_t> surface(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(layout.width * scale), static_cast<int>(layout.height * scale)));
    check(cairo_surface_status(surface.get()));
    const Owned<cairo_t> context(cairo_create(surface.get()));
    cairo_scale(context.get(), scale, scale);
    draw(context.get(), heatmap, layout);
    std::string png;
    check(cairo_surface_write_to_png_stream(surface.get(), append_to_string, &png));
    return png;
}

}  // namespace softalign
