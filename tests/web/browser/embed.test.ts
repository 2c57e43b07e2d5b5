// The element in a frame, for pages that let no scripts in; the recipes of web/README.md are tried as they stand there.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type { Frame, Page } from 'puppeteer-core';
import { copied, open, settled, site, write } from './harness.ts';

const readme = await readFile(new URL('../../../web/README.md', import.meta.url), 'utf8');

/** The HTML of a recipe, with the addresses that it has when the page lies in the folder softalign itself. */
function recipe(name: string): string {
  const found = new RegExp(`\\*\\*${name}\\*\\*[^]*?\`\`\`html\n([^]*?)\`\`\``).exec(readme)?.[1];
  assert.ok(found, `web/README.md has no recipe for ${name}`);
  return found.replaceAll('https://example.org/softalign/', '/').replaceAll('softalign/', '/');
}

/** A page with some HTML, on a server that any frame may read from, as GitHub Pages is. */
async function openLesson(t: TestContext, body: string): Promise<Page> {
  const lesson = `<!doctype html><html lang="en"><title>A lesson</title>${body}`;
  const web = await site(t, { '/lesson.html': lesson }, { 'access-control-allow-origin': '*' });
  return open(t, web, { path: '/lesson.html' });
}

async function frameOf(page: Page): Promise<Frame> {
  const frame = await page.waitForFrame((candidate) => /embed\.html/.test(candidate.url()));
  await settled(frame);
  return frame;
}

const frameHtml = (hash: string) =>
  `<iframe sandbox="allow-scripts" width="700" height="300" title="A frame" src="/embed.html${hash}"></iframe>`;

const shown = (frame: Frame) =>
  frame.$eval('soft-align', ({ translation, src, beam, editable, selection }) => ({
    input: translation?.input,
    src,
    beam,
    editable,
    selection,
  }));

const fits = (page: Page) =>
  page.waitForFunction(() => {
    const frame = document.querySelector('iframe') as HTMLIFrameElement;
    return frame.clientHeight > 300 && globalThis.told === frame.clientHeight;
  });

declare global {
  // What the lesson's script leaves for the tests: the height that was told last.
  var told: number | undefined;
}

const remember = `<script>addEventListener('message', ({ data }) => { globalThis.told = data.height; });</script>`;

test('the recipe for plain HTML shows the element', async (t) => {
  const page = await openLesson(t, recipe('Plain HTML'));
  await settled(page);
  assert.equal(await page.$eval('soft-align', ({ translation }) => translation?.input), 'The black cat is sleeping.');
});

test('the recipe for a frame needs nothing but scripts, and no scroll bars', async (t) => {
  const page = await openLesson(t, remember + recipe('A frame'));
  const frame = await frameOf(page);
  assert.equal(page.workers().length, 0, 'workers are refused');
  await fits(page);
  await write(page, 'I have a red apple and a black cat.', frame);
  await fits(page);
  await frame.waitForFunction(() => document.documentElement.scrollHeight <= innerHeight);
});

test('the recipe for Moodle is a frame of a fixed height', async (t) => {
  const page = await openLesson(t, recipe('Moodle'));
  assert.equal((await shown(await frameOf(page))).editable, true);
});

test('a page that listens late asks for the size', async (t) => {
  const page = await openLesson(t, frameHtml(''));
  const frame = await frameOf(page);
  const height = await page.evaluate(
    () =>
      new Promise<number>((told) => {
        addEventListener('message', ({ data }) => told(data.height));
        document.querySelector('iframe')?.contentWindow?.postMessage({ type: 'softalign:size' }, '*');
      }),
  );
  assert.equal(height, await frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height)));
});

test('the address says what the frame shows, and nothing from elsewhere', async (t) => {
  const hash = '#text=I+am+here.&beam=2&theme=dark&row=1&column=0&model=%2F%2Fa.example%2Fm.safetensors';
  const page = await openLesson(t, frameHtml(hash));
  const frame = await frameOf(page);
  assert.deepEqual(await shown(frame), {
    input: 'I am here.',
    src: 'models/en-fr.safetensors',
    beam: 2,
    editable: false,
    selection: { row: 1, column: 0 },
  });
  assert.equal(await frame.$eval('html', (root) => getComputedStyle(root).colorScheme), 'dark');
  await page.$eval('iframe', (element) => {
    element.src = '/embed.html#text=A+house.';
  });
  await frame.waitForFunction(() => document.querySelector('soft-align')?.translation?.input === 'A house.');
});

test('the frame’s first example is there before the model has arrived', async (t) => {
  const web = await site(t, { '/models/en-fr.safetensors': () => undefined });
  const page = await open(t, web, { path: '/embed.html' });
  await page.waitForSelector('soft-align >>> .target .word');
});

test('the page gives out a frame that shows what it shows', async (t) => {
  const web = await site(t, {}, { 'access-control-allow-origin': '*' });
  const page = await open(t, web, { path: '/#text=She+said+%22yes%22.&beam=2' });
  await settled(page);
  web.answers['/lesson.html'] = `<!doctype html><title>L</title>${await copied(page, 'frame')}`;
  const lesson = await open(t, web, { path: '/lesson.html' });
  const { input, beam, editable } = await shown(await frameOf(lesson));
  assert.deepEqual({ input, beam, editable }, { input: 'She said "yes".', beam: 2, editable: true });
});

test('a host that lets no sandboxed frame read its files is told by the frame itself', async (t) => {
  const web = await site(t, { '/lesson.html': `<!doctype html><title>L</title>${frameHtml('')}` });
  const page = await open(t, web, { path: '/lesson.html' });
  const frame = await page.waitForFrame((candidate) => /embed\.html/.test(candidate.url()));
  const late = await frame.waitForSelector('soft-align .late', { visible: true });
  assert.match((await late?.evaluate((paragraph) => paragraph.textContent)) ?? '', /Access-Control-Allow-Origin/);
});
