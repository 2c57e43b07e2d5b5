#include "native/pictures/canvas.hpp"

#include <cairo-svg.h>

#include <algorithm>

#include "core/error.hpp"

namespace softalign::pictures {

namespace {

constexpr double kLargestPng = 1.2e8;  // pixels
constexpr const char* kFont = "Sans";

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) throw Error(std::string("cannot draw: ") + cairo_status_to_string(status));
}

void fill(cairo_t* context, const Page& page) {
    cairo_set_source_rgb(context, 1, 1, 1);
    cairo_paint(context);
    page.draw(context);
    check(cairo_status(context));
}

cairo_status_t append_to_string(void* string, const unsigned char* bytes, unsigned length) {
    static_cast<std::string*>(string)->append(reinterpret_cast<const char*>(bytes), length);
    return CAIRO_STATUS_SUCCESS;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '&') {
            result += "&amp;";
        } else if (c == '<') {
            result += "&lt;";
        } else {
            result += c;
        }
    }
    return result;
}

}  // namespace

void set_colour(cairo_t* context, const Colour& colour) {
    cairo_set_source_rgb(context, colour.red, colour.green, colour.blue);
}

void rounded_rectangle(cairo_t* context, const Rectangle& rectangle, double radius) {
    const auto [x, y, width, height] = rectangle;
    constexpr double kQuarter = 1.57079632679489661923;
    cairo_new_sub_path(context);
    cairo_arc(context, x + width - radius, y + radius, radius, -kQuarter, 0);
    cairo_arc(context, x + width - radius, y + height - radius, radius, 0, kQuarter);
    cairo_arc(context, x + radius, y + height - radius, radius, kQuarter, 2 * kQuarter);
    cairo_arc(context, x + radius, y + radius, radius, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(context);
}

Ruler::Ruler()
    : nothing_(cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr)),
      context_(cairo_create(nothing_.get())) {}

Label::Label(cairo_t* context, const std::string& text, double font_size, double longest, Weight weight)
    : context_(context), layout_(pango_cairo_create_layout(context)) {
    const Owned<PangoFontDescription> font(pango_font_description_from_string(kFont));
    pango_font_description_set_absolute_size(font.get(), font_size * PANGO_SCALE);
    if (weight == Weight::bold) pango_font_description_set_weight(font.get(), PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(layout_.get(), font.get());
    pango_layout_set_single_paragraph_mode(layout_.get(), TRUE);
    pango_layout_set_text(layout_.get(), text.data(), static_cast<int>(text.size()));
    measure();
    if (width_ <= longest) return;
    pango_layout_set_width(layout_.get(), static_cast<int>(longest * PANGO_SCALE));
    pango_layout_set_ellipsize(layout_.get(), PANGO_ELLIPSIZE_END);
    measure();
}

void Label::draw(double x, double y, const Colour& colour) const {
    cairo_move_to(context_, x - left_, y);
    set_colour(context_, colour);
    pango_cairo_show_layout(context_, layout_.get());
}

void Label::measure() {
    PangoRectangle extents;
    pango_layout_get_extents(layout_.get(), nullptr, &extents);
    // A right-to-left line that has been cut begins where its width ends.
    left_ = pango_units_to_double(extents.x);
    width_ = pango_units_to_double(extents.width);
    height_ = pango_units_to_double(extents.height);
}

std::string page_svg(const Page& page) {
    std::string svg;
    {
        const Owned<cairo_surface_t> surface(
            cairo_svg_surface_create_for_stream(append_to_string, &svg, page.width, page.height));
        cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
        const Owned<cairo_t> context(cairo_create(surface.get()));
        fill(context.get(), page);
        cairo_surface_finish(surface.get());
        check(cairo_surface_status(surface.get()));
    }
    const std::size_t end_of_root = svg.find('>', svg.find("<svg"));
    if (end_of_root == std::string::npos) throw Error("cannot draw: Cairo wrote no SVG");
    svg.insert(end_of_root, " role=\"img\"");
    svg.insert(svg.find('>', end_of_root) + 1, "\n<title>" + escaped(page.title) + "</title>");
    return svg;
}

std::string page_png(const Page& page) {
    const auto fits = [&](double scale) {
        constexpr double kLongestSide = 32767;  // Cairo's
        return page.width * page.height * scale * scale <= kLargestPng &&
               std::max(page.width, page.height) * scale <= kLongestSide;
    };
    if (!fits(1)) throw Error("the picture is too large for a PNG; write an SVG");
    const double scale = fits(2) ? 2 : 1;
    const Owned<cairo_surface_t> surface(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(page.width * scale), static_cast<int>(page.height * scale)));
    check(cairo_surface_status(surface.get()));
    const Owned<cairo_t> context(cairo_create(surface.get()));
    cairo_scale(context.get(), scale, scale);
    fill(context.get(), page);
    std::string png;
    check(cairo_surface_write_to_png_stream(surface.get(), append_to_string, &png));
    return png;
}

}  // namespace softalign::pictures
