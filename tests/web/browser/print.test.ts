// What stands on paper, where nobody points, scrolls or changes the theme.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { open, settled } from './harness.ts';
import { lessonPath, lessonSite, model } from './lesson.ts';

const sentence = 'the black cat is sleeping on the red table under a small white bed . '.repeat(4).trim();

declare global {
  // Whether it is paper that has another width, of which no observer hears.
  var onPaper: boolean;
}

const unheardOf = `
  const Observer = ResizeObserver;
  globalThis.ResizeObserver = class extends Observer {
    constructor(heard) {
      super((...sizes) => globalThis.onPaper || heard(...sizes));
    }
  };`;

async function lesson(t: TestContext, text: string, attributes = ''): Promise<Page> {
  const body = `<soft-align src="${model}" text="${text}" ${attributes}></soft-align>`;
  const page = await open(t, await lessonSite(t, body), { path: lessonPath, before: unheardOf });
  await settled(page);
  return page;
}

/** As when the browser prints: the event, and the media. */
async function print(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMediaType('print');
}

/** The narrowest gap from the end of a link to the middle of a word, on both sides, for the worst link. */
const farthestLink = (page: Page) =>
  page.$eval('soft-align', (element) => {
    const root = element.shadowRoot?.querySelector('soft-align-sentences')?.shadowRoot;
    const middles = [...(root?.querySelectorAll('.word') ?? [])].map((word) => {
      const { x, width } = word.getBoundingClientRect();
      return x + width / 2;
    });
    const ends = [...(root?.querySelectorAll('path') ?? [])].flatMap((path) => {
      const matrix = path.getScreenCTM();
      const length = path.getTotalLength();
      return [0, length].map((at) => path.getPointAtLength(at).matrixTransform(matrix ?? undefined).x);
    });
    const far = ends.map((end) => Math.min(...middles.map((middle) => Math.abs(middle - end))));
    return { links: ends.length, far: Math.max(0, ...far) };
  });

test('on narrower paper the links still lead to their words', async (t) => {
  const page = await lesson(t, 'the black cat is sleeping');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.waitForFunction(() => document.querySelector('soft-align')?.shadowRoot?.querySelector('.printing'));
  await page.evaluate(() => {
    globalThis.onPaper = true;
  });
  await page.setViewport({ width: 300, height: 1000 });
  const { links, far } = await farthestLink(page);
  assert.ok(links > 0);
  assert.ok(far < 1, `${far} pixels`);
});

test('the whole of a heatmap is printed, in light colours and without controls', async (t) => {
  const page = await lesson(t, sentence, 'theme="dark" editable steps');
  await print(page);
  const printed = await page.waitForFunction(() => {
    const root = document.querySelector('soft-align')?.shadowRoot;
    const heatmap = root?.querySelector('soft-align-heatmap')?.shadowRoot;
    const drawing = heatmap?.querySelector('.paper svg');
    const shown = (found: Element | null | undefined) => Boolean(found?.getBoundingClientRect().height);
    if (!root || !heatmap || !drawing) return undefined;
    const layout = root.querySelector('.layout') as Element;
    return {
      texts: [...drawing.querySelectorAll('text')].map((text) => text.textContent),
      wide: drawing.getBoundingClientRect().width <= layout.getBoundingClientRect().width,
      surface: drawing.querySelector('rect')?.getAttribute('fill'),
      background: getComputedStyle(layout).backgroundColor,
      controls: [
        shown(heatmap.querySelector('.scroller')),
        shown(root.querySelector('textarea')),
        shown(root.querySelector('.controls')),
        shown(root.querySelector('soft-align-step')?.shadowRoot?.querySelector('.buttons')),
        shown(root.querySelector('soft-align-step')?.shadowRoot?.querySelector('.typed')),
      ],
    };
  });
  const { texts, wide, surface, background, controls } = (await printed.jsonValue()) ?? assert.fail();
  assert.equal(texts.filter((text) => text === 'table').length, 4);
  assert.ok(wide);
  assert.deepEqual([surface, background], ['rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
  assert.deepEqual(controls, [false, false, false, false, false]);
});

test('after printing all is as it was', async (t) => {
  const page = await lesson(t, sentence);
  const shape = () =>
    page.$eval('soft-align', (element) => {
      const { width, height } = element.getBoundingClientRect();
      return { width, height, cell: JSON.stringify(element.cellRectangle(2, 3)) };
    });
  const before = await shape();
  await page.pdf({ format: 'A4' });
  await page.waitForFunction(() => !document.querySelector('soft-align')?.shadowRoot?.querySelector('.printing'));
  await page.waitForFunction(() => !document.querySelector('soft-align')?.shadowRoot?.querySelector('[data-printed]'));
  assert.deepEqual(await shape(), before);
});

test('where the system forces its colours, shares and what is highlighted can still be told', async (t) => {
  const page = await lesson(t, 'the black cat', 'steps');
  const session = await page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
  const blend = await page.waitForSelector('soft-align >>> .blend span');
  const colours = await blend?.evaluate((part) => getComputedStyle(part).backgroundColor);
  const surface = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.notEqual(colours, surface);
  assert.equal(await blend?.evaluate((part) => getComputedStyle(part).forcedColorAdjust), 'none');
  const outline = await page.$eval('soft-align >>> .word.chosen', (word) => getComputedStyle(word).outlineStyle);
  assert.equal(outline, 'solid');
});

test('in a page from right to left the element’s own texts run from left to right, in English', async (t) => {
  const page = await lesson(t, 'the black cat', 'steps tree');
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
    document.documentElement.lang = 'ar';
  });
  for (const own of ['.telling', '.controls', 'soft-align-step', 'soft-align-tree', 'figcaption']) {
    const found = await page.$eval(`soft-align >>> ${own}`, (element) => [
      getComputedStyle(element).direction,
      element.closest('[lang]')?.getAttribute('lang'),
    ]);
    assert.deepEqual(found, ['ltr', 'en'], own);
  }
});

test('no translator of pages translates what the lesson is about', async (t) => {
  const page = await lesson(t, 'the black cat', 'steps tree');
  const open = await page.$eval('soft-align', (element) => {
    const words = ['soft-align-sentences', 'soft-align-heatmap', 'soft-align-step', 'soft-align-tree'].map((name) => {
      const part = element.shadowRoot?.querySelector<HTMLElement>(name);
      const within = part?.shadowRoot?.querySelector<HTMLElement>('p, .scroller');
      return [name, Boolean(part?.closest('[translate=no]') || within?.closest('[translate=no]'))];
    });
    return words.filter(([, closed]) => !closed);
  });
  assert.deepEqual(open, []);
});
