#include "native/pictures/colour_ramp.hpp"

#include <algorithm>
#include <cmath>

namespace softalign {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kHue = 282.0 / 180.0 * kPi;

double to_gamma(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}
double to_linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Colour from_oklch(double lightness, double chroma) {
    const double a = chroma * std::cos(kHue);
    const double b = chroma * std::sin(kHue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.291485548 * b, 3);
    return {to_gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            to_gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            to_gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)};
}

bool in_gamut(const Colour& colour) {
    const auto shown = [](double channel) { return channel >= -1e-4 && channel <= 1 + 1e-4; };
    return shown(colour.red) && shown(colour.green) && shown(colour.blue);
}

/// If sRGB has no such colour, the most colourful one of the same lightness and hue.
Colour into_gamut(double lightness, double chroma) {
    double low = 0;
    double high = chroma;
    if (in_gamut(from_oklch(lightness, chroma))) low = chroma;
    for (int i = 0; i < 20 && low < chroma; ++i) {
        const double middle = (low + high) / 2;
        (in_gamut(from_oklch(lightness, middle)) ? low : high) = middle;
    }
    const Colour colour = from_oklch(lightness, low);
    const auto clamp = [](double channel) { return std::clamp(channel, 0.0, 1.0); };
    return {clamp(colour.red), clamp(colour.green), clamp(colour.blue)};
}

}  // namespace

Colour ramp_colour(double weight) {
    const double at = std::clamp(weight, 0.0, 1.0);
    const auto mix = [&](double weakest, double strongest) { return weakest + (strongest - weakest) * at; };
    // Most colourful in the middle, where sRGB has room for it.
    return into_gamut(mix(0.965, 0.36), mix(0.012, 0.17) + 0.05 * std::sin(kPi * at));
}

Colour ink_on(const Colour& background) {
    const double luminance =
        0.2126 * to_linear(background.red) + 0.7152 * to_linear(background.green) + 0.0722 * to_linear(background.blue);
    constexpr Colour kDark{0.12, 0.11, 0.16};
    constexpr double kEqualContrast = 0.207;  // of dark (Y = 0.013) and white: (Y + 0.05)^2 = 1.05 * 0.063
    if (luminance > kEqualContrast) return kDark;
    return {1, 1, 1};
}

}  // namespace softalign
