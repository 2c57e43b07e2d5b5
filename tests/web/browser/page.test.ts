import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ramp } from '../../../web/src/view/ramp.ts';
import { eventually, open, pixels, settled, site } from './harness.ts';

for (const { theme, dark, pixelRatio } of [
  { theme: 'light', dark: false, pixelRatio: 1 },
  { theme: 'dark', dark: true, pixelRatio: 2 },
]) {
  test(`every cell on the screen has the colour of its weight: ${theme}, pixel ratio ${pixelRatio}`, async (t) => {
    const page = await open(t, await site(t), { dark, pixelRatio, height: 2400 });
    await settled(page);
    const cells = await page.$eval('soft-align', (element) => {
      const { source, target, weights } = element.alignment ?? { source: [], target: [], weights: [] };
      return target.flatMap((_, row) =>
        source.map((_, column) => {
          const box = element.cellRectangle(row, column) as DOMRect;
          // A corner of the cell: its middle may show the weight as a number.
          return { row, column, x: box.x + 3, y: box.y + 3, weight: weights[row * source.length + column] as number };
        }),
      );
    });
    const { colour } = ramp(282, dark);
    const seen = await pixels(page, cells);
    cells.forEach(({ row, column, weight }, index) => {
      assert.equal(seen[index], colour(weight), `row ${row}, column ${column}, weight ${weight}`);
    });
    // The strongest cell of the alignment is also the one that stands out most from the surface.
    const strongest = cells.reduce((best, cell) => (cell.weight > best.weight ? cell : best));
    const distance = (name = '') => Math.abs(Number(name.match(/\d+/g)?.[1]) - (dark ? 0 : 255));
    const loudest = seen.reduce((best, name, index) => (distance(name) > distance(seen[best]) ? index : best), 0);
    assert.equal(cells[loudest]?.weight.toFixed(2), strongest.weight.toFixed(2));
  });
}

test('the first example is there before the model has arrived', async (t) => {
  const web = await site(t, { '/models/en-fr.safetensors': () => undefined });
  const page = await open(t, web);
  await page.waitForSelector('soft-align >>> .target .word');
  const status = await page.waitForSelector('soft-align >>> [part=status]');
  assert.match((await status?.evaluate(({ textContent }) => textContent)) ?? '', /Loading the model/);
  await page.waitForFunction(() => document.querySelector('soft-align')?.cellRectangle(0, 0)?.width);
});

test('the model in the browser gives what it gave to the build in Node', async (t) => {
  const page = await open(t, await site(t));
  const built = await page.$eval('#example', (example) => JSON.parse(example.textContent ?? ''));
  await settled(page);
  const made = await page.$eval('soft-align', ({ translation }) => ({
    text: translation?.text,
    alignment: [...(translation?.alignment ?? [])],
  }));
  assert.equal(made.text, built.text);
  assert.equal(made.alignment.length, built.alignment.length);
  built.alignment.forEach((weight: number, index: number) => {
    assert.ok(Math.abs(weight - (made.alignment[index] ?? Number.NaN)) < 1e-4);
  });
});

test('the story tells numbers of the sentence on screen', async (t) => {
  const page = await open(t, await site(t));
  await settled(page);
  const story = await page.$eval('#story', (list) => list.textContent ?? '');
  assert.match(story, /To write “[^”]+”, the network read \d+% from “[^”]+”/);
  await page.hover('#story li');
  await page.waitForSelector('soft-align >>> .word.chosen');
});

for (const width of [320, 390, 768, 1280, 1920]) {
  test(`nothing sticks out of a window of ${width} pixels`, async (t) => {
    const page = await open(t, await site(t), { width });
    await settled(page);
    await page.waitForSelector('#story li');
    await eventually(
      () => page.evaluate(() => document.documentElement.scrollWidth),
      (widest) => assert.ok(widest <= width, `${widest}`),
    );
  });
}
