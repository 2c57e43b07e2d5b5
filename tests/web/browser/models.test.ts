// Which model translates: from the list, from a file of the reader's own, and two beside each other.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { goldenModel } from '../models.ts';
import { address, errorOf, eventually, open, type Site, settled, site, translated, write } from './harness.ts';

const files = { first: 'en-fr.safetensors', second: 'plain.safetensors' };

/** The page with two models: an additive one, and one without attention. */
async function twoModels(t: TestContext): Promise<Site> {
  const models = [
    { file: files.first, title: 'With attention' },
    { file: files.second, title: 'Without attention' },
  ];
  return site(t, {
    '/models/manifest.json': JSON.stringify({ models }),
    [`/models/${files.first}`]: await goldenModel(),
    [`/models/${files.second}`]: await goldenModel('vanilla'),
  });
}

const styleOf = (page: Page, style: string) =>
  page.waitForFunction(
    (wanted) => {
      const element = document.querySelector('soft-align');
      return element?.information?.configuration.style === wanted && element.hasAttribute('data-settled');
    },
    {},
    style,
  );

test('a page with one model offers no choice of models', async (t) => {
  const models = [{ file: files.first, title: 'The only one' }];
  const web = await site(t, {
    '/models/manifest.json': JSON.stringify({ models }),
    [`/models/${files.first}`]: await goldenModel(),
  });
  const page = await open(t, web);
  await settled(page);
  assert.equal(await page.$eval('[name=model]', (select) => select.closest('label')?.hidden), true);
});

test('another model is chosen from the list, and a link remembers it', async (t) => {
  const web = await twoModels(t);
  const page = await open(t, web);
  await page.waitForSelector('[name=model]', { visible: true });
  await page.select('[name=model]', files.second);
  await styleOf(page, 'none');
  await page.waitForFunction(() =>
    /no attention/.test(document.querySelector('soft-align')?.shadowRoot?.textContent ?? ''),
  );
  const other = await open(t, web, { path: (await address(page)).slice(web.url.length) });
  await styleOf(other, 'none');
  assert.equal(await other.$eval('[name=model]', (select) => (select as HTMLSelectElement).value), files.second);
});

test('two models are compared on the same sentence, in one worker', async (t) => {
  const page = await open(t, await twoModels(t));
  await page.waitForSelector('[name=compare]', { visible: true });
  await page.select('[name=compare]', files.second);
  const inputs = (wanted: string) =>
    page.waitForFunction(
      (text) => {
        const elements = [...document.querySelectorAll('soft-align')];
        // The greedy translation that comes first has one hypothesis.
        const searched = elements.filter(({ translation }) => (translation?.hypotheses.length ?? 0) > 1);
        return searched.length === 2 && searched.every(({ translation }) => translation?.input === text);
      },
      {},
      wanted,
    );
  await write(page, 'the black cat');
  await inputs('the black cat');
  assert.equal(page.workers().length, 1);
  await page.evaluate(() => document.querySelector('soft-align')?.select({ row: 0, column: 1 }));
  await page.waitForFunction(() => document.querySelectorAll('soft-align')[1]?.selection?.column === 1);
  assert.match(await address(page), /compare=plain\.safetensors/);
  await page.select('[name=compare]', '');
  assert.equal((await page.$$('soft-align')).length, 1);
});

test('another model takes the place of one that is still arriving', async (t) => {
  const web = await twoModels(t);
  const model = await goldenModel();
  web.answers[`/models/${files.first}`] = (_, response) => {
    response.writeHead(200, { 'content-length': model.length }).write(model.subarray(0, 1000));
  };
  const page = await open(t, web);
  const progress = (stands: boolean) =>
    page.waitForFunction(
      (wanted) =>
        document.querySelector('soft-align')?.shadowRoot?.querySelector('progress')?.hasAttribute('value') === wanted,
      {},
      stands,
    );
  await progress(true);
  const asked = new Promise<ServerResponse>((resolve) => {
    web.answers[`/models/${files.second}`] = (_, response) => resolve(response);
  });
  await page.select('[name=model]', files.second);
  await progress(false);
  (await asked).end(await goldenModel('vanilla'));
  await styleOf(page, 'none');
});

test('a model of another task says what it does, brings its examples and is compared with its like alone', async (t) => {
  const models = [
    { file: files.first, title: 'Words', task: 'translation' },
    { file: 'twin.safetensors', title: 'Words too', task: 'translation' },
    {
      file: files.second,
      title: 'Others',
      task: 'other',
      description: 'Does other things.',
      examples: ['red', 'a bird'],
    },
  ];
  const web = await site(t, {
    '/models/manifest.json': JSON.stringify({ models }),
    [`/models/${files.first}`]: await goldenModel(),
    [`/models/${files.second}`]: await goldenModel('vanilla'),
  });
  const page = await open(t, web);
  await page.waitForSelector('[name=model]', { visible: true });
  const comparable = () =>
    page.$$eval('[name=compare] option:not([disabled])', (options) => options.map(({ textContent }) => textContent));
  assert.deepEqual(await comparable(), ['nothing', 'Words', 'Words too']);
  assert.equal(await page.$('#introduction button'), null);
  await page.select('[name=model]', files.second);
  await translated(page, 'red');
  assert.deepEqual(await comparable(), ['nothing', 'Others']);
  assert.match(await page.$eval('#introduction', (place) => place.textContent ?? ''), /Does other things\./);
  const buttons = await page.$$('#introduction button');
  await buttons[1]?.click();
  await translated(page, 'a bird');
  await eventually(
    () => address(page),
    (url) => assert.match(url, /text=a\+bird/),
  );
  const linked = await open(t, web, { path: `/#model=${files.second}` });
  await translated(linked, 'red');
});

test('every shipped model makes something of its examples', async (t) => {
  const page = await open(t, await site(t));
  await page.waitForSelector('[name=model]', { visible: true });
  const models: { file: string; title: string; examples: string[] }[] = await page.evaluate(async () =>
    (await fetch('models/manifest.json')).json().then(({ models }) => models),
  );
  for (const [index, { file, title, examples }] of models.entries()) {
    await page.select('[name=model]', file);
    // Another example than that of the model before, so that what is shown is this one's.
    const place = index % examples.length;
    await page.$$eval('#introduction button', (buttons, wanted) => (buttons[wanted] as HTMLElement).click(), place);
    await page.waitForFunction(
      (wanted, text) => {
        const { information, translation } = document.querySelector('soft-align') ?? {};
        return information?.card.title === wanted && translation?.input === text && Boolean(translation?.text);
      },
      {},
      title,
      examples[place],
    );
  }
});

test('a file of the reader’s own is opened by the button, and another model afterwards', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'softalign-own-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const web = await twoModels(t);
  const page = await open(t, web);
  await styleOf(page, 'bahdanau');
  const path = join(folder, 'own.safetensors');
  await writeFile(path, await goldenModel('vanilla'));
  // The page's own files are kept meanwhile.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const asked = web.asked.length;
  const input = await page.waitForSelector('soft-align >>> input[type=file]');
  await (input as import('puppeteer-core').ElementHandle<HTMLInputElement>).uploadFile(path);
  await styleOf(page, 'none');
  assert.equal(web.asked.length, asked, 'nothing is uploaded');
  assert.equal(
    await page.$eval('[name=model]', (select) => (select as HTMLSelectElement).selectedOptions[0]?.text),
    'your own file',
  );
  await page.select('[name=model]', files.first);
  await styleOf(page, 'bahdanau');
});

test('a dropped file is opened where that is allowed, and a damaged one is told', async (t) => {
  const web = await twoModels(t);
  const page = await open(t, web);
  await styleOf(page, 'bahdanau');
  const drop = (url: string) =>
    page.evaluate(async (address) => {
      const data = new DataTransfer();
      data.items.add(new File([await (await fetch(address)).blob()], 'own.safetensors'));
      const event = new DragEvent('drop', { dataTransfer: data, cancelable: true, bubbles: true });
      document.querySelector('soft-align')?.dispatchEvent(event);
      return event.defaultPrevented;
    }, url);
  assert.equal(await drop(`/models/${files.second}`), true);
  await styleOf(page, 'none');
  await drop('/icon.svg');
  assert.match(await errorOf(page), /not a safetensors file|too short/);
  await page.evaluate(() => document.querySelector('soft-align')?.removeAttribute('openable'));
  assert.equal(await drop(`/models/${files.second}`), false);
});

test('a link cannot make the page load a model from elsewhere', async (t) => {
  const web = await twoModels(t);
  const page = await open(t, web, { path: '/#model=..%2Fa.safetensors&compare=%2F%2Fa.example%2Fb.safetensors' });
  await styleOf(page, 'bahdanau');
  assert.equal((await page.$$('soft-align')).length, 1);
});
