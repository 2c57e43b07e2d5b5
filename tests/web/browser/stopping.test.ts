// A search ends when nobody wants it any more. Here one would take many minutes, so that waiting for it fails.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import type * as Package from '../../../web/src/index.ts';
import { errorOf, open, settled, translated } from './harness.ts';
import { lessonPath, lessonSite } from './lesson.ts';

declare global {
  var softalign: typeof Package;
}

const g2p = '/models/g2p.safetensors';
const endless = { text: 'a'.repeat(1900), beam: 64 };

const threads = { 'in the worker': '', 'in the page’s own thread': 'delete globalThis.Worker;' };

async function lesson(t: TestContext, before: string, attributes = ''): Promise<Page> {
  const body = `<soft-align src="${g2p}" text="cat" ${attributes}></soft-align>`;
  const page = await open(t, await lessonSite(t, body), { path: lessonPath, before });
  await settled(page);
  await page.evaluate(async () => {
    globalThis.softalign = await import(String('/softalign.js'));
  });
  return page;
}

const write = (page: Page, text: string) =>
  page.$eval(
    'soft-align',
    (element, typed) => {
      element.text = typed;
    },
    text,
  );

for (const [where, before] of Object.entries(threads)) {
  test(`an abort frees the engine, ${where}`, async (t) => {
    const page = await lesson(t, before);
    const outcome = await page.evaluate(
      async (url, { text, beam }) => {
        const translator = await softalign.Translator.load(url);
        const controller = new AbortController();
        const { signal } = controller;
        const long = translator.translate(text, { beam, signal }).catch((reason) => reason);
        // A timer of the page runs meanwhile.
        setTimeout(() => controller.abort('enough'), 300);
        const reason = await long;
        return [reason, (await translator.translate('dog')).input];
      },
      g2p,
      endless,
    );
    assert.deepEqual(outcome, ['enough', 'dog']);
  });

  test(`who is disposed of frees the engine for others, ${where}`, async (t) => {
    const page = await lesson(t, before);
    const outcome = await page.evaluate(
      async (url, { text, beam }) => {
        const { Translator } = softalign;
        const [one, other] = [await Translator.load(url), await Translator.load(url)];
        const long = one.translate(text, { beam }).catch(({ name }) => name);
        setTimeout(() => one.dispose(), 300);
        return [await long, (await other.translate('dog')).input];
      },
      g2p,
      endless,
    );
    assert.deepEqual(outcome, ['UsageError', 'dog']);
  });

  test(`a long search is told to be under way, and a newer sentence takes its place, ${where}`, async (t) => {
    const page = await lesson(t, before, `beam="${endless.beam}"`);
    await write(page, endless.text);
    await page.waitForSelector('soft-align >>> progress', { visible: true });
    await write(page, 'dog');
    await translated(page, 'dog');
    assert.equal(await page.$('soft-align >>> [part=status]'), null);
  });
}

test('steps that nobody wants any more end, too', async (t) => {
  const page = await lesson(t, '');
  const outcome = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const translation = await translator.translate('cat');
    // As if it had been written again and again.
    const [hypothesis] = translation.hypotheses;
    if (!hypothesis) throw new Error('there is no hypothesis');
    const rows = 300_000;
    const target = Array.from({ length: rows }, () => hypothesis.target[0] as Package.Token);
    const alignment = new Float32Array(rows * translation.source.length);
    const controller = new AbortController();
    const long = { ...translation, hypotheses: [{ ...hypothesis, target, alignment }] };
    const steps = translator.steps(long, { signal: controller.signal }).catch((reason) => reason);
    setTimeout(() => controller.abort('enough'), 300);
    return [await steps, (await translator.translate('dog')).input];
  }, g2p);
  assert.deepEqual(outcome, ['enough', 'dog']);
});

test('what is typed has its first translation before the better one is searched, however long that takes', async (t) => {
  const page = await lesson(t, '', 'beam="4"');
  const counts = page.$eval(
    'soft-align',
    (element, typed) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = [];
        element.addEventListener('result', ({ translation }) => {
          found.push(translation.hypotheses.length);
          if (found.length === 2) resolve(found);
        });
        element.text = typed;
      }),
    'a'.repeat(500),
  );
  assert.deepEqual(await counts, [1, 4]);
});

test('a text that is too long is told, and not tried', async (t) => {
  const page = await lesson(t, '');
  await write(page, 'a'.repeat(2100));
  assert.match(await errorOf(page), /at most 2000 are translated at once; shorten it/);
  await write(page, 'dog');
  await translated(page, 'dog');
  assert.equal(await page.$('soft-align >>> [role=alert]'), null);
});
