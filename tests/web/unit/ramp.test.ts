import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ramp } from '../../../web/src/view/ramp.ts';

function channels(colour: string): number[] {
  return colour.match(/\d+/g)?.map(Number) ?? [];
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** CIE lightness, from 0 to 100: another measure than the one the ramp is made with. */
function lightness(colour: string): number {
  return 116 * Math.cbrt(luminance(colour)) - 16;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  const { colour, ink } = ramp(282, dark);

  test(`${theme}: lightness changes evenly with the weight`, () => {
    const steps = Array.from({ length: 11 }, (_, i) => lightness(colour(i / 10)));
    const sizes = steps.slice(1).map((step, i) => Math.abs(step - (steps[i] as number)));
    const mean = sizes.reduce((sum, size) => sum + size) / sizes.length;
    for (const size of sizes) assert.ok(size > 0.6 * mean && size < 1.4 * mean, `${sizes.map((s) => s.toFixed(1))}`);
  });

  test(`${theme}: numbers can be read on every colour`, () => {
    for (let weight = 0; weight <= 1; weight += 0.01) {
      assert.ok(
        contrast(ink(weight), colour(weight)) >= 4.5,
        `weight ${weight}: ${contrast(ink(weight), colour(weight))}`,
      );
    }
  });

  test(`${theme}: a weight outside its range has the colour of its end`, () => {
    assert.equal(colour(-1), colour(0));
    assert.equal(colour(2), colour(1));
  });
}

test('every hue stays inside sRGB', () => {
  for (let hue = 0; hue < 360; hue += 15) {
    for (const weight of [0, 0.5, 1]) {
      const colour = ramp(hue, false).colour(weight);
      assert.match(colour, /^rgb\(\d+, \d+, \d+\)$/);
      for (const channel of channels(colour)) assert.ok(channel <= 255, colour);
    }
  }
});
