// A real browser on the built page.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Frame, Page } from 'puppeteer-core';
import { chromium } from '../chromium.ts';
import type { Site } from '../site.ts';

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

/** Waits until the page's element has translated this text. */
export async function translated(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector('soft-align')?.translation?.input === wanted, {}, text);
}

/** Waits until there are elements and every one's own model has translated its text. */
export async function settled(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() => {
    const elements = [...document.querySelectorAll('soft-align')];
    return elements.length > 0 && elements.every((element) => element.hasAttribute('data-settled'));
  });
}

/** Marks an element that translated something after its model was loaded. */
const markSettled = `
  customElements.whenDefined('soft-align').then(() => {
    for (const element of document.querySelectorAll('soft-align')) {
      element.addEventListener('ready', () => {
        element.addEventListener('result', () => element.setAttribute('data-settled', ''));
      });
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
