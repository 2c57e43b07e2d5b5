// One step of the decoder at a time.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { eventually, open, settled, site } from './harness.ts';
import { lessonPath, lessonSite, model, strictPolicy } from './lesson.ts';

declare global {
  // What a test leaves in the page: lets the clock go on, and returns how much waits for it.
  var tick: () => number;
}

async function openLesson(t: TestContext, name?: string): Promise<Page> {
  const body = `<soft-align src="${model}" text="the black cat" steps></soft-align>`;
  const web = await lessonSite(t, body, { 'content-security-policy': strictPolicy }, name);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  await page.waitForFunction(() => {
    const view = document.querySelector('soft-align')?.shadowRoot?.querySelector('soft-align-step');
    return view?.details?.alternatives.length === 5;
  });
  return page;
}

const shown = (page: Page) =>
  page.$eval('soft-align', (element) => {
    const view = element.shadowRoot?.querySelector('soft-align-step');
    const step = view?.step ?? -1;
    return {
      step,
      row: element.selection?.row,
      alternatives: view?.details?.alternatives.map(({ id, probability }) => ({ id, probability })) ?? [],
      written: element.translation?.target[step]?.id,
      probability: Math.exp(element.translation?.hypotheses[0]?.stepLogProbabilities[step] ?? 1),
      steps: element.translation?.target.length ?? 0,
      energies: [...(view?.details?.energies ?? [])],
      weights: [...(view?.details?.weights ?? [])],
      text: [view, view?.shadowRoot?.querySelector('soft-align-reading')]
        .map((part) => part?.shadowRoot?.textContent ?? '')
        .join(' '),
    };
  });

/** Waits until this step is shown. */
const at = (page: Page, step: number) =>
  eventually(
    () => shown(page),
    (now) => assert.equal(now.step, step),
  );

test('every step shows the five likeliest words, of which greedy search wrote the first', async (t) => {
  const page = await openLesson(t);
  const { steps } = await shown(page);
  assert.ok(steps > 1);
  for (let step = 0; step < steps; step++) {
    const now = await at(page, step);
    assert.equal(now.row, step);
    assert.equal(now.alternatives.length, 5);
    assert.equal(now.alternatives[0]?.id, now.written);
    assert.ok(Math.abs((now.alternatives[0]?.probability ?? 0) - now.probability) < 1e-5);
    const probabilities = now.alternatives.map(({ probability }) => probability);
    assert.deepEqual(
      probabilities,
      [...probabilities].sort((a, b) => b - a),
    );
    assert.match(now.text, new RegExp(`Step ${step + 1} of ${steps}`));
    const buttons = await page.$$('soft-align >>> soft-align-step >>> button');
    await buttons[1]?.click();
  }
  assert.equal((await shown(page)).step, steps - 1, 'the last step has no next one');
});

test('every step shows the scores, whose softmax are the shares, and the blend by these shares', async (t) => {
  const page = await openLesson(t);
  const { energies, weights, text } = await shown(page);
  const powers = energies.map(Math.exp);
  const sum = powers.reduce((total, power) => total + power, 0);
  powers.forEach((power, i) => {
    assert.ok(Math.abs(power / sum - (weights[i] ?? 0)) < 1e-5);
  });
  for (const energy of energies) assert.ok(text.includes(energy.toFixed(2).replace('-', '−')), `${energy}`);
  assert.match(text, /Context c =/);
  const parts = await page.$$eval('soft-align >>> soft-align-reading >>> .blend span', (spans) =>
    spans.map((span) => [Number(getComputedStyle(span).flexGrow), span.title]),
  );
  assert.equal(parts.length, weights.filter((weight) => weight >= 0.005).length);
  assert.ok(Math.abs(Number(parts[0]?.[0]) - (weights[0] ?? 0)) < 1e-4);
});

test('the arrow keys go back and on', async (t) => {
  const page = await openLesson(t);
  const [, next] = await page.$$('soft-align >>> soft-align-step >>> button');
  await next?.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await at(page, 2);
  await page.keyboard.press('ArrowLeft');
  assert.equal((await at(page, 1)).row, 1);
  await page.keyboard.press('Home');
  await at(page, 0);
});

test('playing goes on by itself until it is paused', async (t) => {
  const page = await openLesson(t);
  // The clock goes on when the test says so: on a busy machine the steps would be over.
  await page.evaluate(() => {
    const ticks = new Map<number, () => void>();
    globalThis.setInterval = ((tick: () => void) => {
      ticks.set(1, tick);
      return 1;
    }) as typeof setInterval;
    globalThis.clearInterval = (timer) => ticks.delete(timer as number);
    globalThis.tick = () => {
      ticks.get(1)?.();
      return ticks.size;
    };
  });
  const play = (await page.$$('soft-align >>> soft-align-step >>> button'))[2];
  const label = (wanted: string) =>
    eventually(
      () => play?.evaluate((button) => button.textContent),
      (text) => assert.equal(text, wanted),
    );
  await play?.click();
  await label('Pause');
  await page.evaluate(() => globalThis.tick());
  await at(page, 1);
  await label('Pause');
  await play?.click();
  await label('Play');
  assert.equal(await page.evaluate(() => globalThis.tick()), 0, 'nothing goes on');
});

test('pressing a word of the translation leads to its step', async (t) => {
  const page = await openLesson(t);
  const words = await page.$$('soft-align >>> soft-align-sentences >>> .target .word');
  await words[1]?.click();
  await at(page, 1);
});

test('a model without attention has words to choose from but no blend', async (t) => {
  const page = await openLesson(t, 'vanilla');
  const { text } = await shown(page);
  assert.doesNotMatch(text, /Context|Share/);
  assert.match(text, /Most likely next/);
});

test('the switch begins and ends the steps', async (t) => {
  const page = await open(t, await site(t));
  await settled(page);
  await page.evaluate(() => {
    const labels = [...(document.querySelector('soft-align')?.shadowRoot?.querySelectorAll('label') ?? [])];
    labels.find((label) => /Step through/.test(label.textContent ?? ''))?.click();
  });
  await page.waitForFunction(
    () =>
      document.querySelector('soft-align')?.shadowRoot?.querySelector('soft-align-step')?.details?.alternatives
        .length === 5,
  );
  assert.equal((await at(page, 0)).row, 0);
  await page.$eval('soft-align', (element) => element.removeAttribute('steps'));
  await page.waitForFunction(() => document.querySelector('soft-align')?.selection === null);
  await page.waitForSelector('soft-align >>> soft-align-step', { hidden: true });
});
