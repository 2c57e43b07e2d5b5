#include "native/pictures/heatmap.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "native/pictures/colour_ramp.hpp"
#include "tests/catch.hpp"

using namespace softalign;

namespace {

Heatmap example(std::size_t source, std::size_t target) {
    Heatmap heatmap{std::vector<std::string>(source, "word"), std::vector<std::string>(target, "mot"),
                    zeros(target, source)};
    for (std::size_t t = 0; t < target; ++t) heatmap.weights(t, t % source) = 1;
    return heatmap;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

struct Input {
    const std::string& bytes;
    std::size_t position;
};

/// The pixels of a PNG, by Cairo.
class Pixels {
  public:
    explicit Pixels(const std::string& png) : surface_(nullptr, &cairo_surface_destroy) {
        Input input{png, 0};
        const auto read = [](void* closure, unsigned char* to, unsigned length) {
            Input& from = *static_cast<Input*>(closure);
            if (length > from.bytes.size() - from.position) return CAIRO_STATUS_READ_ERROR;
            std::copy_n(from.bytes.begin() + static_cast<std::ptrdiff_t>(from.position), length, to);
            from.position += length;
            return CAIRO_STATUS_SUCCESS;
        };
        surface_.reset(cairo_image_surface_create_from_png_stream(read, &input));
        REQUIRE(cairo_surface_status(surface_.get()) == CAIRO_STATUS_SUCCESS);
    }

    int width() const { return cairo_image_surface_get_width(surface_.get()); }
    int height() const { return cairo_image_surface_get_height(surface_.get()); }

    Colour at(double x, double y) const {
        const unsigned char* pixel = cairo_image_surface_get_data(surface_.get()) +
                                     cairo_image_surface_get_stride(surface_.get()) * static_cast<int>(y) +
                                     4 * static_cast<int>(x);
        std::uint32_t argb = 0;
        std::copy_n(pixel, 4, reinterpret_cast<unsigned char*>(&argb));
        const auto channel = [&](unsigned shift) { return static_cast<double>(argb >> shift & 255U) / 255; };
        return {channel(16), channel(8), channel(0)};
    }

  private:
    std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
};

bool alike(const Colour& a, const Colour& b) {
    return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue) < 0.02;
}

/// Cells whose colour is that of the weight 1, as "row-column".
std::string strong_cells(const Heatmap& heatmap) {
    const HeatmapLayout layout = lay_out(heatmap);
    const Pixels pixels(heatmap_png(heatmap));
    const double scale = pixels.width() / layout.width;
    std::string found;
    for (std::size_t t = 0; t < heatmap.target.size(); ++t) {
        for (std::size_t s = 0; s < heatmap.source.size(); ++s) {
            // Beside the middle, where a number may stand.
            const double x = layout.left + (static_cast<double>(s) + 0.15) * layout.cell;
            const double y = layout.top + (static_cast<double>(t) + 0.3) * layout.cell;
            if (alike(pixels.at(x * scale, y * scale), ramp_colour(1))) {
                found += std::to_string(t) + "-" + std::to_string(s) + " ";
            }
        }
    }
    return found;
}

}  // namespace

TEST_CASE("source words stand across, target words down, and the strongest cells where the weights say") {
    CHECK(strong_cells(example(3, 2)) == "0-0 1-1 ");
    CHECK(strong_cells(example(2, 4)) == "0-0 1-1 2-0 3-1 ");
    Heatmap corner = example(50, 40);
    corner.weights = zeros(40, 50);
    corner.weights(39, 49) = 1;
    CHECK(strong_cells(corner) == "39-49 ");
}

TEST_CASE("an SVG has the layout's size, a title, and a shape for every cell") {
    const Heatmap heatmap = example(40, 40);
    const std::string svg = heatmap_svg(heatmap);
    const HeatmapLayout layout = lay_out(heatmap);
    CHECK(svg.rfind("<?xml", 0) == 0);
    CHECK(count(svg, "role=\"img\"") == 1);
    CHECK(count(svg, "<title>") == 1);
    const auto size =
        std::to_string(static_cast<int>(layout.width)) + " " + std::to_string(static_cast<int>(layout.height));
    CHECK(count(svg, "viewBox=\"0 0 " + size + "\"") == 1);
    Heatmap one_row_less = example(40, 39);
    CHECK(count(svg, "<path") - count(heatmap_svg(one_row_less), "<path") == 40);
}

TEST_CASE("the words keep apart and inside the picture, from 1 to 60 of them, however long") {
    for (const std::size_t words : {1, 3, 15, 40, 60}) {
        Heatmap heatmap = example(words, words);
        heatmap.source.back() = "Donaudampfschifffahrtsgesellschaftskapitän und noch mehr und noch mehr";
        heatmap.target.back() = heatmap.source.back();
        const HeatmapLayout layout = lay_out(heatmap);
        const auto cells = static_cast<double>(words) * layout.cell;
        CHECK(layout.font_size >= 12);
        CHECK(layout.cell >= layout.font_size);
        CHECK(layout.left > 0);
        CHECK(layout.left + cells < layout.width);
        CHECK(layout.top + cells < layout.height);
        CHECK(layout.left < 300);  // a long word is cut
    }
}

TEST_CASE("any script can be drawn") {
    Heatmap heatmap = example(4, 4);
    heatmap.source = {"القط", "नमस्ते", "黒い猫", "😀"};
    heatmap.target = {"", "‏", "<&>", std::string("a\nb\0c", 5)};
    const std::string svg = heatmap_svg(heatmap);
    const std::string png = heatmap_png(heatmap);
    for (const std::string& word : {heatmap.source[0], heatmap.source[1], heatmap.source[2], heatmap.source[3],
                                    heatmap.target[2], heatmap.target[3]}) {
        INFO(word);
        Heatmap without = heatmap;
        std::replace(without.source.begin(), without.source.end(), word, std::string("x"));
        std::replace(without.target.begin(), without.target.end(), word, std::string("x"));
        CHECK(heatmap_svg(without) != svg);
        CHECK(heatmap_png(without) != png);
    }
}

TEST_CASE("a picture too large for a PNG is refused, and drawn as SVG") {
    const Heatmap large = example(1000, 5);
    CHECK(Pixels(heatmap_png(large)).width() >= static_cast<int>(lay_out(large).width));
    const Heatmap larger = example(2500, 1);
    CHECK_THROWS_AS(heatmap_png(larger), Error);
    CHECK(count(heatmap_svg(larger), "<path") > 2500);
}

TEST_CASE("in the terminal every weight is a block of eighths under its source word") {
    Heatmap heatmap{{"The", "cat"}, {"Le", "chat"}, Matrix{{1.0F, 0.0F}, {0.25F, 0.5F}}};
    CHECK(heatmap_text(heatmap, 80) ==
          "     The\n"
          "     │ cat\n"
          "     │ │\n"
          "  Le ██\n"
          "chat ▂▂▄▄\n"
          "\n"
          "weight: ▁ 1/8  ▄ 1/2  █ 1\n");
}

TEST_CASE("a picture wider than the terminal is continued below") {
    const std::string text = heatmap_text(example(40, 3), 40);
    CHECK(count(text, "word") == 40);
    CHECK(count(text, "mot") > 3);
}

TEST_CASE("the ramp darkens evenly, and what is written on it can be read") {
    double before = 2;
    for (int i = 0; i <= 20; ++i) {
        const Colour colour = ramp_colour(i / 20.0);
        const double brightness = 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
        CHECK(brightness < before);
        before = brightness;
        const Colour ink = ink_on(colour);
        CHECK(std::abs(0.2126 * ink.red + 0.7152 * ink.green + 0.0722 * ink.blue - brightness) > 0.3);
    }
    CHECK(alike(ramp_colour(-1), ramp_colour(0)));
    CHECK(alike(ramp_colour(7), ramp_colour(1)));
}
