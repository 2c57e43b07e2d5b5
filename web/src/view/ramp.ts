// The colours of the weights: one hue whose perceived lightness changes evenly, so that half the weight looks half as
// strong to every eye, colour-blind ones too. OKLCH after Ottosson, "A perceptual color space for image processing" (2020).

export interface Ramp {
  /** CSS colour of a weight from 0 to 1. */
  colour(weight: number): string;
  /** A colour for text on top of it. */
  ink(weight: number): string;
}

interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

const steps = 256;

const ramps = new Map<string, Ramp>();

/** @param hue in degrees   @param dark whether weight 0 should blend into a dark surface */
export function ramp(hue: number, dark: boolean): Ramp {
  const key = `${hue} ${dark}`;
  const made = ramps.get(key) ?? makeRamp(hue, dark);
  ramps.set(key, made);
  return made;
}

function makeRamp(hue: number, dark: boolean): Ramp {
  const [weakest, strongest] = dark
    ? [
        { lightness: 0.27, chroma: 0.025 },
        { lightness: 0.93, chroma: 0.09 },
      ]
    : [
        { lightness: 0.965, chroma: 0.012 },
        { lightness: 0.36, chroma: 0.17 },
      ];
  const colours = Array.from({ length: steps }, (_, i) => {
    const at = i / (steps - 1);
    return intoGamut({
      lightness: mix(weakest.lightness, strongest.lightness, at),
      // Most colourful in the middle, where sRGB has room for it.
      chroma: mix(weakest.chroma, strongest.chroma, at) + 0.05 * Math.sin(Math.PI * at),
      hue,
    });
  });
  const names = colours.map(css);
  const inks = colours.map((colour) => css(luminance(colour) > equalContrast ? [0, 0, 0] : [1, 1, 1]));
  const step = (weight: number) => Math.round(clamp(weight) * (steps - 1));
  return {
    colour: (weight) => names[step(weight)] as string,
    ink: (weight) => inks[step(weight)] as string,
  };
}

/** Channels from 0 to 1. */
type Srgb = readonly number[];

/** Black and white stand out equally from this luminance: (Y + 0.05)² = 1.05 · 0.05, after WCAG 2. */
const equalContrast = 0.179;

function luminance(colour: Srgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function css(colour: Srgb): string {
  return `rgb(${colour.map((channel) => Math.round(255 * channel)).join(', ')})`;
}

/** If a colour lies outside sRGB, the most colourful one of the same lightness and hue. */
function intoGamut(colour: Oklch): Srgb {
  let [low, high] = [0, colour.chroma];
  if (inGamut(toSrgb(colour))) return toSrgb(colour).map(clamp);
  for (let i = 0; i < 20; i++) {
    const chroma = (low + high) / 2;
    if (inGamut(toSrgb({ ...colour, chroma }))) low = chroma;
    else high = chroma;
  }
  return toSrgb({ ...colour, chroma: low }).map(clamp);
}

function inGamut(channels: number[]): boolean {
  return channels.every((channel) => channel >= -1e-4 && channel <= 1 + 1e-4);
}

function toSrgb({ lightness, chroma, hue }: Oklch): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
}

function mix(from: number, to: number, at: number): number {
  return from + (to - from) * at;
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
