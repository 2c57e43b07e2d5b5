// What can be taken away: files, a link, HTML for another page.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { goldenModel } from '../models.ts';
import { translation } from '../translations.ts';
import { address, cell, copied, eventually, open, settled, site, write } from './harness.ts';

async function downloadFolder(t: TestContext, page: Page): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'softalign-downloads-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    browserContextId: page.browserContext().id ?? '',
  });
  return folder;
}

async function saved(page: Page, folder: string, format: string): Promise<Buffer> {
  await page.click(`[data-format=${format}]`);
  const name = await page.waitForFunction(
    (ending) =>
      new RegExp(`^(.*\\.${ending}) is saved\\.$`).exec(
        document.querySelector('.take [role=status]')?.textContent ?? '',
      )?.[1],
    {},
    format,
  );
  const path = join(folder, (await name.jsonValue()) ?? '');
  return eventually(
    () => readFile(path),
    (bytes) => assert.notEqual(bytes.length, 0),
  );
}

test('the heatmap and its numbers are saved as files', async (t) => {
  const page = await open(t, await site(t));
  await settled(page);
  const folder = await downloadFolder(t, page);
  const shown = await page.$eval('soft-align', ({ alignment, translation }) => ({
    rows: alignment?.target.map(({ text }) => text) ?? [],
    columns: alignment?.source.map(({ text }) => text) ?? [],
    weights: [...(alignment?.weights ?? [])],
    text: translation?.text,
  }));

  const lines = (await saved(page, folder, 'csv')).toString().slice(1).trim().split('\r\n');
  assert.equal(lines.length, 1 + shown.rows.length);
  const cells = lines.slice(1).flatMap((line) => line.split(',').slice(-shown.columns.length).map(Number));
  for (const [index, weight] of shown.weights.entries()) assert.ok(Math.abs(weight - (cells[index] ?? 2)) < 1e-6);

  const data = JSON.parse((await saved(page, folder, 'json')).toString());
  assert.equal(data.text, shown.text);
  assert.equal(data.alignment.length, data.target.length * data.source.length);

  const png = await saved(page, folder, 'png');
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const svg = (await saved(page, folder, 'svg')).toString();
  const size = /width="([\d.]+)" height="([\d.]+)"/.exec(svg)?.slice(1).map(Number) ?? [];
  assert.deepEqual(
    [png.readUInt32BE(16), png.readUInt32BE(20)],
    size.map((side) => Math.floor(2 * side)),
  );
  const read = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent);
  }, svg);
  for (const word of [...shown.rows, ...shown.columns]) assert.ok(read.includes(word), word);
});

test('a link brings back the sentence, the search, the theme and what was highlighted', async (t) => {
  const web = await site(t);
  const page = await open(t, web);
  await settled(page);
  await page.select('[name=beam]', '2');
  await page.select('[name=theme]', 'dark');
  await write(page, 'I have a red apple.');
  const { x, y } = await cell(page, 1, 2);
  await page.mouse.click(x, y);
  const link = await copied(page, 'link');
  assert.equal(link, await address(page));

  const other = await open(t, web, { path: link.slice(web.url.length) });
  await settled(other);
  const brought = await other.$eval('soft-align', ({ translation, beam, theme, selection }) => ({
    input: translation?.input,
    beam,
    theme,
    selection,
  }));
  const selection = { row: 1, column: 2 };
  assert.deepEqual(brought, { input: 'I have a red apple.', beam: 2, theme: 'dark', selection });
  assert.equal(await other.$eval('[name=beam]', (select) => (select as HTMLSelectElement).value), '2');
  assert.equal(await other.$eval('html', (root) => getComputedStyle(root).colorScheme), 'dark');
});

test('what was pressed stays highlighted until it is pressed again', async (t) => {
  const page = await open(t, await site(t));
  await settled(page);
  const selection = () => page.$eval('soft-align', (element) => element.selection);
  const { x, y } = await cell(page, 1, 2);
  await page.mouse.click(x, y);
  await eventually(selection, (pressed) => assert.deepEqual(pressed, { row: 1, column: 2 }));
  await page.mouse.move(5, 5);
  await page.mouse.move(x, y + 100);
  assert.deepEqual(await selection(), { row: 1, column: 2 });
  await page.mouse.click(x, y);
  await eventually(selection, (pressed) => assert.equal(pressed, null));
});

test('the snippet to embed shows the same sentence in another page', async (t) => {
  const web = await site(t, { '/tiny.safetensors': await goldenModel() });
  web.answers['/lesson.html'] =
    '<!doctype html><title>L</title><script type="module" src="/soft-align.js"></script><soft-align src="/tiny.safetensors" text="the &quot;black&quot; cat" beam="2"></soft-align>';
  const page = await open(t, web, { path: '/lesson.html' });
  await settled(page);
  const code = await page.$eval('soft-align', (element) => element.embedCode());
  web.answers['/other/place.html'] = `<!doctype html><title>O</title>${code}`;
  const other = await open(t, web, { path: '/other/place.html' });
  await settled(other);
  const made = (tab: Page) =>
    tab.$eval('soft-align', ({ translation, beam }) => [translation?.input, translation?.text, beam]);
  assert.deepEqual(await made(other), await made(page));
});

test('taking away before there is anything is refused, and so is an unknown format', async (t) => {
  const web = await site(t, {
    '/lesson.html':
      '<!doctype html><title>L</title><script type="module" src="/soft-align.js"></script><soft-align></soft-align>',
  });
  const page = await open(t, web, { path: '/lesson.html' });
  const refusal = (format: string) =>
    page.$eval('soft-align', (element, wanted) => element.exportAs(wanted as 'png').catch(String), format);
  assert.match(String(await refusal('png')), /UsageError: There is no translation yet/);
  await page.evaluate(
    (plain) => {
      const element = document.querySelector('soft-align') as HTMLElementTagNameMap['soft-align'];
      element.translation = { ...plain, alignment: new Float32Array(Object.values(plain.alignment)) };
    },
    translation('cat', 'chat </s>', [[1], [1]]),
  );
  assert.match(String(await refusal('gif')), /UsageError: 'gif' is not a format; use png, svg, csv or json/);
});
