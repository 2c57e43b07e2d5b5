// A real browser on the built page, with a server whose answers a test can replace.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import { files, listen } from '../../../web/serve.mjs';

export const dist = process.env.SOFTALIGN_DIST ?? fileURLToPath(new URL('../../../web/dist', import.meta.url));

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let launched: Promise<{ browser: Browser; profile: string }> | undefined;

/** One browser for a file of tests. */
async function launch(): Promise<Browser> {
  launched ??= (async () => {
    const profile = await mkdtemp(join(tmpdir(), 'softalign-chromium-'));
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    return { browser: await puppeteer.launch({ executablePath, userDataDir: profile, args: flags }), profile };
  })();
  return (await launched).browser;
}

after(async () => {
  const started = await launched;
  await started?.browser.close();
  if (started) await rm(started.profile, { recursive: true, force: true, maxRetries: 5 });
});

/** What the server says instead of a file: by path, or else the built files. */
export type Answers = Record<string, RequestListener | Uint8Array | string>;

/** Where the built files are a second time, as one of several sites on a host. */
export const subFolder = '/a/sub-folder/';

export interface Site {
  readonly url: string;
  /** Paths in the order in which they were asked for. */
  readonly asked: string[];
  readonly answers: Answers;
  /** Stops answering, as a server that is switched off does. */
  stop(): Promise<void>;
}

export async function site(t: TestContext, answers: Answers = {}, headers: Record<string, string> = {}): Promise<Site> {
  const asked: string[] = [];
  const built = files(dist);
  const server = await listen((request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    asked.push(path);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const answer = answers[path];
    if (answer === undefined) {
      request.url = request.url?.replace(subFolder, '/');
      return built(request, response);
    }
    if (typeof answer === 'function') return answer(request, response);
    const type = typeof answer === 'string' ? 'text/html; charset=utf-8' : 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(answer);
  }, 0);
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  t.after(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answers, stop };
}

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
  const context = await (await launch()).createBrowserContext();
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

/** Waits until every element's own model has translated its text. */
export async function settled(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('soft-align')].every((element) => element.hasAttribute('data-settled')),
  );
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
