#pragma once

namespace softalign {

/// sRGB channels from 0 to 1.
struct Colour {
    double red;
    double green;
    double blue;
};

/// The colour of a weight from 0 to 1 on a white page: one violet-blue hue whose perceived lightness falls evenly, so
/// that half the weight looks half as strong to every eye, colour-blind ones too. OKLCH after Ottosson, "A perceptual
/// color space for image processing" (2020). The page draws with the same one.
Colour ramp_colour(double weight);

/// White or near-black, whichever is easier to read on it (contrast as in WCAG 2).
Colour ink_on(const Colour& background);

}  // namespace softalign
