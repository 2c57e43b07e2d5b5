import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Look } from '../../../web/src/view/draw.ts';
import { figureSvg, finestRatio } from '../../../web/src/view/figure.ts';
import type { Ruler } from '../../../web/src/view/pen.ts';
import { ramp } from '../../../web/src/view/ramp.ts';
import { SvgPen } from '../../../web/src/view/svg-pen.ts';
import { alignWords } from '../../../web/src/view/units.ts';
import { translation } from '../translations.ts';

/** Every character is ten pixels wide. */
const ruler: Ruler = { font: '', measureText: (text) => ({ width: 10 * text.length }) as TextMetrics };
const look: Look = {
  ramp: ramp(282, false),
  text: '#111111',
  muted: '#777777',
  surface: '#ffffff',
  accent: '#4c2fc4',
  family: '"A & B", serif',
  fontSize: 16,
};
const cat = translation('the black cat', 'le chat noir', [
  [0.9, 0.05, 0.05],
  [0.05, 0.15, 0.8],
  [0.01, 0.98, 0.01],
]);

test('the picture shows every cell in its colour and every word', () => {
  const svg = figureSvg(alignWords(cat, cat), look, 'the cat', ruler);
  for (const weight of cat.alignment) assert.ok(svg.includes(`fill="${look.ramp.colour(weight)}"`), `${weight}`);
  for (const word of ['the', 'black', 'cat', 'le', 'chat', 'noir']) assert.ok(svg.includes(`>${word}</text>`), word);
});

test('what XML would read as its own is escaped, and what it forbids is left out', () => {
  const pen = new SvgPen(ruler);
  pen.fillText('<b> & "c"\u0000', 0, 0);
  const svg = pen.document(10, 10, 'a < b');
  assert.ok(svg.includes('&lt;b> &amp; &quot;c&quot;</text>'), svg);
  assert.ok(svg.includes('<title>a &lt; b</title>'));
});

test('restoring brings back the place and the colours', () => {
  const pen = new SvgPen(ruler);
  pen.save();
  pen.translate(5, 6);
  pen.rotate(Math.PI / 2);
  pen.fillStyle = 'red';
  pen.fillRect(0, 0, 1, 1);
  pen.restore();
  pen.fillRect(0, 0, 1, 1);
  const [first, second] = pen.document(10, 10, '').match(/<rect.*\/>/g) ?? [];
  assert.match(first ?? '', /fill="red" transform="translate\(5 6\)rotate\(90\)"/);
  assert.equal(second, '<rect x="0" y="0" width="1" height="1" fill="#000"/>');
});

test('a large picture is as fine as a canvas can hold', () => {
  assert.equal(finestRatio(600, 400), 2);
  for (const [width, height] of [
    [9000, 200],
    [8000, 8000],
  ] as const) {
    const ratio = finestRatio(width, height);
    assert.ok(width * ratio <= 8192 && width * height * ratio ** 2 <= 16_777_217, `${ratio}`);
  }
});
