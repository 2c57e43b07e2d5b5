// After a trap in the engine nothing in its memory can be relied on: it ends, and another takes its place.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import type * as Package from '../../../web/src/index.ts';
import { goldenModel } from '../models.ts';
import { trapOnDemand } from '../trap.ts';
import { dist, errorOf, open, type Site, settled, translated } from './harness.ts';
import { lessonPath, lessonSite, model } from './lesson.ts';

declare global {
  var softalign: typeof Package;
  var trapNext: boolean;
  var callsAfterTrap: number;
}

async function trapping(t: TestContext, body: string): Promise<Site> {
  const web = await lessonSite(t, body);
  const worker = trapOnDemand + (await readFile(join(dist, 'worker.js'), 'utf8'));
  web.answers['/worker.js'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(worker);
  return web;
}

const element = (text: string) => `<soft-align src="${model}" text="${text}"></soft-align>`;

const trapInWorker = async (page: Page) => {
  const [worker] = page.workers();
  await worker?.evaluate(() => {
    globalThis.trapNext = true;
  });
  return worker;
};

const retype = (page: Page, text: string) =>
  page.$eval(
    'soft-align',
    (element, typed) => {
      element.text = typed;
    },
    text,
  );

test('a trap is told by the element, which trying again brings back in another worker', async (t) => {
  const page = await open(t, await trapping(t, element('the cat')), { path: lessonPath });
  await settled(page);
  const worker = await trapInWorker(page);
  const told = page.$eval(
    'soft-align',
    (element) =>
      new Promise((resolve) => element.addEventListener('error', ({ error }) => resolve([error.name, error.kind]))),
  );
  await retype(page, 'the dog');
  assert.match(await errorOf(page), /engine stopped; try again/);
  assert.deepEqual(await told, ['EngineError', 'engine']);
  const retry = await page.$('soft-align >>> [role=alert] button');
  await retry?.click();
  await translated(page, 'the dog');
  assert.equal(await page.$('soft-align >>> [role=alert]'), null);
  assert.equal(page.workers().length, 1);
  assert.notEqual(page.workers()[0], worker);
});

test('elements that asked for nothing when the engine trapped go on without a word', async (t) => {
  const page = await open(t, await trapping(t, element('the cat') + element('a bird')), { path: lessonPath });
  await settled(page);
  await trapInWorker(page);
  await retype(page, 'the dog');
  await errorOf(page);
  await page.evaluate(() => {
    const [, second] = document.querySelectorAll('soft-align');
    if (second) second.text = 'a red bird';
  });
  await page.waitForFunction(() => document.querySelectorAll('soft-align')[1]?.translation?.input === 'a red bird');
});

async function packageIn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    globalThis.softalign = await import(String('/softalign.js'));
  });
}

test('translators of the package go on after a trap, with models from an address and from bytes', async (t) => {
  const page = await open(t, await trapping(t, ''), { path: lessonPath });
  await packageIn(page);
  await page.evaluate(async (url) => {
    const bytes = await (await fetch(url)).arrayBuffer();
    const { Translator } = softalign;
    const all = [await Translator.load(url), await Translator.load(url), await Translator.fromBytes(bytes)];
    Object.assign(globalThis, { translators: all });
  }, model);
  await trapInWorker(page);
  const outcomes = await page.evaluate(async () => {
    const { translators } = globalThis as unknown as { translators: Package.Translator[] };
    const ask = (translator: Package.Translator) =>
      translator.translate('the cat').then(
        ({ input }) => input,
        (error) => error.name,
      );
    const first = await Promise.all(translators.map(ask));
    const second = await Promise.all(translators.map(ask));
    for (const translator of translators) translator.dispose();
    return { first, second };
  });
  assert.deepEqual(outcomes, {
    first: ['EngineError', 'the cat', 'the cat'],
    second: ['the cat', 'the cat', 'the cat'],
  });
  assert.equal(page.workers().length, 1);
});

test('a model that traps while it is read is told, and can be loaded again', async (t) => {
  const page = await open(t, await trapping(t, element('the cat')), { path: lessonPath });
  await settled(page);
  await packageIn(page);
  await trapInWorker(page);
  const outcomes = await page.evaluate(
    async (file) => {
      const load = () =>
        softalign.Translator.fromBytes(new Uint8Array(file).buffer).then(
          () => 'loaded',
          (error) => error.name,
        );
      return [await load(), await load()];
    },
    [...(await goldenModel())],
  );
  assert.deepEqual(outcomes, ['EngineError', 'loaded']);
});

test('in the page’s own thread, too, an engine that trapped is never called again', async (t) => {
  const web = await trapping(t, element('the cat'));
  const page = await open(t, web, { path: lessonPath, before: `delete globalThis.Worker; ${trapOnDemand}` });
  await settled(page);
  await page.evaluate(() => {
    globalThis.trapNext = true;
  });
  await retype(page, 'the dog');
  assert.match(await errorOf(page), /engine stopped; try again/);
  const retry = await page.$('soft-align >>> [role=alert] button');
  await retry?.click();
  await translated(page, 'the dog');
  await page.$eval('soft-align', (element) => element.remove());
  assert.equal(await page.evaluate(() => globalThis.callsAfterTrap), 0);
});
