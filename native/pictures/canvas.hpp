#pragma once

#include <cairo.h>
#include <pango/pangocairo.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "native/pictures/colour_ramp.hpp"

namespace softalign::pictures {

// All pictures are drawn with Cairo for shapes and Pango for text, in any script that the system has a font for.

constexpr Colour kText{0.13, 0.12, 0.18};
constexpr Colour kMuted{0.42, 0.41, 0.48};
constexpr double kMargin = 24;  ///< white around a picture

struct Release {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
    void operator()(cairo_pattern_t* pattern) const { cairo_pattern_destroy(pattern); }
    void operator()(PangoLayout* layout) const { g_object_unref(layout); }
    void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
};
template <typename Resource>
using Owned = std::unique_ptr<Resource, Release>;

void set_colour(cairo_t* context, const Colour& colour);
struct Rectangle {
    double x, y, width, height;
};
void rounded_rectangle(cairo_t* context, const Rectangle& rectangle, double radius);

/// A context that draws nowhere, to measure text with.
class Ruler {
  public:
    Ruler();
    cairo_t* context() const { return context_.get(); }

  private:
    Owned<cairo_surface_t> nothing_;
    Owned<cairo_t> context_;
};

enum class Weight { normal, bold };

/// One line of text, laid out.
class Label {
  public:
    /// @param longest wider text ends in an ellipsis
    Label(cairo_t* context, const std::string& text, double font_size,
          double longest = std::numeric_limits<double>::infinity(), Weight weight = Weight::normal);

    double width() const { return width_; }
    double height() const { return height_; }

    /// @param x, y its top left corner
    void draw(double x, double y, const Colour& colour) const;

  private:
    void measure();

    cairo_t* context_;
    Owned<PangoLayout> layout_;
    double left_ = 0;
    double width_ = 0;
    double height_ = 0;
};

/// A white page in pixels (SVG: CSS pixels) and what fills it.
struct Page {
    double width;
    double height;
    std::string title;  ///< what a screen reader says for an SVG, whose words are outlines
    std::function<void(cairo_t*)> draw;
};

/// The page as the bytes of a file. A PNG has two pixels for every one of the page if its size allows it. Throws Error
/// if Cairo fails, and for a page too large for a PNG.
std::string page_svg(const Page& page);
std::string page_png(const Page& page);

}  // namespace softalign::pictures
