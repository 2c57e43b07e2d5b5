// The reader imposes a word or shares, and the rest of the sentence is written again from there.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { open, settled } from './harness.ts';
import { lessonPath, lessonSite, model, strictPolicy } from './lesson.ts';

async function openLesson(t: TestContext, name?: string): Promise<Page> {
  const body = `<soft-align src="${model}" text="the black cat" editable steps></soft-align>`;
  const web = await lessonSite(t, body, { 'content-security-policy': strictPolicy }, name);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  await page.waitForSelector('soft-align >>> soft-align-step >>> [aria-pressed=true]');
  return page;
}

/** What the element shows: ids of the translation, its alignment, and what stands in the notice. */
const shown = (page: Page) =>
  page.$eval('soft-align', (element) => {
    const { target = [], alignment = [], imposed } = element.translation ?? {};
    return {
      ids: target.map(({ id }) => id),
      rows: Array.from({ length: target.length }, (_, row) => [...alignment.slice(3 * row, 3 * row + 3)]),
      imposed,
      step: element.shadowRoot?.querySelector('soft-align-step')?.step,
      notice: element.shadowRoot?.querySelector('[part=notice]')?.textContent?.replace(/\s+/g, ' ').trim() ?? '',
      words: [...(element.shadowRoot?.querySelector('soft-align-sentences')?.imposed ?? [])],
    };
  });

/** Does something, and waits for the translation that it leads to. */
async function andResult(page: Page, act: () => Promise<unknown> | undefined): Promise<void> {
  await page.$eval('soft-align', (element) => {
    element.removeAttribute('data-again');
    element.addEventListener('result', () => element.setAttribute('data-again', ''), { once: true });
  });
  await act();
  await page.waitForSelector('soft-align[data-again]');
}

/** A word that could have been written at this step, but not the end. */
async function otherWord(page: Page) {
  for (const button of await page.$$('soft-align >>> soft-align-step >>> [aria-pressed=false]'))
    if (!/end/.test(await button.evaluate(({ textContent }) => textContent ?? ''))) return button;
  return undefined;
}

const step = (page: Page, to: number) =>
  page.$eval(
    'soft-align',
    async (element, to) => {
      const view = element.shadowRoot?.querySelector('soft-align-step');
      for (let i = 0; i < to; i++) view?.shadowRoot?.querySelectorAll('button')[1]?.click();
      await element.updateComplete;
      await view?.updateComplete;
    },
    to,
  );

test('another word is written, the rest follows from it, and one button leads back', async (t) => {
  const page = await openLesson(t);
  const before = await shown(page);
  await step(page, 1);
  const other = await otherWord(page);
  await andResult(page, () => other?.click());
  const after = await shown(page);
  assert.equal(after.ids[0], before.ids[0]);
  assert.notEqual(after.ids[1], before.ids[1]);
  assert.deepEqual(after.imposed, { prefix: 2, weights: [] });
  assert.match(after.notice, /^Imposed: you wrote “.+” at step 2; .*Back to the model’s own choice$/);
  assert.deepEqual(after.words, [1]);
  assert.equal(after.step, 1);
  const back = await page.$('soft-align >>> [part=notice] button');
  await andResult(page, () => back?.click());
  const restored = await shown(page);
  assert.deepEqual(restored.ids, before.ids);
  assert.equal(restored.imposed, undefined);
  assert.equal(restored.notice, '');
});

test('a word can be typed, and what is typed above begins anew', async (t) => {
  const page = await openLesson(t);
  const input = await page.$('soft-align >>> soft-align-step >>> .typed input');
  await input?.type('chien');
  await andResult(page, () => page.keyboard.press('Enter'));
  const text = await page.$eval('soft-align', (element) => element.translation?.text);
  assert.match(text ?? '', /^chien\b/);
  const field = await page.$('soft-align >>> textarea');
  await andResult(page, () => field?.type('s'));
  const after = await shown(page);
  assert.equal(after.imposed, undefined);
  assert.equal(after.notice, '');
});

test('a share is changed with the keyboard: the step reads with it, and earlier choices stay', async (t) => {
  const page = await openLesson(t);
  const before = await shown(page);
  const word = await otherWord(page);
  await andResult(page, () => word?.click());
  await step(page, 1);
  const slider = await page.$('soft-align >>> soft-align-reading >>> input[tabindex="0"]');
  await slider?.focus();
  await andResult(page, () => page.keyboard.press('Home'));
  const after = await shown(page);
  assert.deepEqual(after.imposed, { prefix: 1, weights: [1] });
  assert.notEqual(after.ids[0], before.ids[0]);
  const row = after.rows[1] ?? [];
  assert.equal(row.filter((weight) => weight === 0).length, 1);
  assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
  assert.match(after.notice, /you wrote “.+” at step 1 and changed what step 2 read/);
  // Up and down go to another share, and the step stays.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  assert.equal((await shown(page)).step, 1);
});

test('a share is changed with the mouse', async (t) => {
  const page = await openLesson(t);
  const slider = await page.$('soft-align >>> soft-align-reading >>> input');
  const box = await slider?.boundingBox();
  assert.ok(box);
  await andResult(page, () => page.mouse.click(box.x + 0.9 * box.width, box.y + box.height / 2));
  const { rows, imposed } = await shown(page);
  assert.deepEqual(imposed, { prefix: 0, weights: [0] });
  assert.ok(Math.abs((rows[0]?.[0] ?? 0) - 0.9) < 0.05, `${rows[0]}`);
});

test('without attention there are words to choose but no shares', async (t) => {
  const page = await openLesson(t, 'vanilla');
  assert.equal(await page.$('soft-align >>> soft-align-reading'), null);
  const word = await otherWord(page);
  await andResult(page, () => word?.click());
  assert.deepEqual((await shown(page)).imposed, { prefix: 1, weights: [] });
});

test('what a lesson’s own script imposes is checked', async (t) => {
  const page = await openLesson(t);
  const refused = await page.$eval('soft-align', (element) => {
    try {
      element.chooseWord(99, 'chat');
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  });
  assert.match(refused, /There is no step 99/);
  await page.$eval('soft-align', (element) => element.chooseWeights(0, new Float32Array([1, 1, 1])));
  await page.waitForSelector('soft-align >>> [role=alert]');
  const told = await page.$eval('soft-align', (e) => e.shadowRoot?.querySelector('[role=alert] p')?.textContent);
  assert.match(told ?? '', /weights of step 1 are not shares/);
});
