// A real browser on the built page.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Frame, Page } from 'puppeteer-core';
import { chromium } from '../chromium.ts';
import { patience } from '../eventually.ts';
import type { Site } from '../site.ts';

export { eventually } from '../eventually.ts';
export { dist, type Site, site, subFolder } from '../site.ts';

export interface OpenOptions {
  path?: string;
  /** Script that runs before the page's own. */
  before?: string;
  dark?: boolean;
  width?: number;
  height?: number;
  pixelRatio?: number;
  /** Does not fail the test for what the page's policy forbids. */
  expectViolations?: boolean;
}

/** A tab of its own. At the end of the test it must have seen no uncaught error and no policy violation. */
export async function open(t: TestContext, { url }: Site, options: OpenOptions = {}): Promise<Page> {
  const { path = '/', before = '', dark = false, width = 1280, height = 1000, pixelRatio = 1 } = options;
  const context = await (await chromium()).createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (!options.expectViolations && /Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${url}/`))
      complaints.push(`asked ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.setViewport({ width, height, deviceScaleFactor: pixelRatio });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  // The tests' transpiler names functions with this helper, which functions that run in the page would miss.
  await page.evaluateOnNewDocument(`globalThis.__name = (named) => named; ${markSettled} ${before}`);
  await page.goto(`${url}${path}`);
  return page;
}

/** Waits until the page's element has translated this text for good: the greedy translation that comes first has one hypothesis. */
export async function translated(page: Page | Frame, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const { translation, beam = 1 } = document.querySelector('soft-align') ?? {};
      return translation?.input === wanted && (beam === 1 || translation.hypotheses.length > 1);
    },
    {},
    text,
  );
}

/** Types a sentence in place of the element's own, and waits for its translation. */
export async function write(page: Page, text: string, frame: Page | Frame = page): Promise<void> {
  const field = await frame.waitForSelector('soft-align >>> textarea');
  await field?.evaluate((area) => {
    area.focus();
    area.select();
  });
  await page.keyboard.type(text);
  await translated(frame, text);
}

/** Waits until there are elements, every one's own model has translated its text and it is drawn, and the page has all that moves it. */
export async function settled(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() => {
    const elements = [...document.querySelectorAll('soft-align')];
    const isSettled = (element: HTMLElementTagNameMap['soft-align']) =>
      element.hasAttribute('data-settled') &&
      !element.isUpdatePending &&
      (element.alignment?.weights.length === 0 || element.cellRectangle(0, 0));
    return elements.length > 0 && elements.every(isSettled) && !document.querySelector('[data-waiting]');
  });
}

/** A place in a cell of the heatmap, once nothing moves it any more. */
export async function cell(page: Page, row: number, column: number): Promise<{ x: number; y: number }> {
  const found = await page.waitForFunction(
    async (...place) => {
      const rectangle = () => document.querySelector('soft-align')?.cellRectangle(...place);
      const before = rectangle();
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const now = rectangle();
      return before && now && before.x === now.x && before.y === now.y && { x: now.x + 8, y: now.y + 8 };
    },
    {},
    row,
    column,
  );
  return (await found.jsonValue()) as { x: number; y: number };
}

/** The page's address as it stands: what the browser last told of it may be older. */
export function address(page: Page): Promise<string> {
  return page.evaluate(() => location.href);
}

/** Presses the button that copies something. @returns what it copies */
export async function copied(page: Page, what: 'link' | 'embed' | 'frame'): Promise<string> {
  await page.click(`[data-copy=${what}]`);
  const text = await page.waitForFunction(() => {
    const sheet = document.querySelector<HTMLElement>('.sheet');
    return !sheet?.hidden && sheet?.querySelector('textarea')?.value;
  });
  return (await text.jsonValue()) as string;
}

/** Marks an element that translated something after its model was loaded. */
const markSettled = `
  customElements.whenDefined('soft-align').then(() => {
    for (const element of document.querySelectorAll('soft-align')) {
      const mark = () => element.setAttribute('data-settled', '');
      // The same listener is not added twice.
      element.addEventListener('ready', () => element.addEventListener('result', mark));
    }
  });`;

/** Waits for an error in the page's element. @returns its message */
export async function errorOf(page: Page): Promise<string> {
  const message = await page.waitForFunction(
    () => document.querySelector('soft-align')?.shadowRoot?.querySelector('[role=alert] p')?.textContent,
  );
  return (await message.jsonValue()) ?? '';
}

/** Colours of points of what is on the screen, as `rgb(r, g, b)`. */
export async function pixels(page: Page, points: readonly { x: number; y: number }[]): Promise<string[]> {
  const screenshot = await page.screenshot({ encoding: 'base64' });
  return page.evaluate(
    async (encoded, wanted) => {
      const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(image.width, image.height).getContext(
        '2d',
      ) as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      return wanted.map(({ x, y }) => {
        const data = context.getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data;
        return `rgb(${data[0]}, ${data[1]}, ${data[2]})`;
      });
    },
    screenshot,
    points,
  );
}
