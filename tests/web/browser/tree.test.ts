// The tree of the search, and the hypotheses to choose from.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { eventually, open, settled } from './harness.ts';
import { lessonPath, lessonSite, model } from './lesson.ts';

async function openLesson(t: TestContext, beam: number): Promise<Page> {
  const body = `<soft-align src="${model}" text="the black cat" beam="${beam}" tree></soft-align>`;
  const page = await open(t, await lessonSite(t, body), { path: lessonPath });
  await settled(page);
  await page.waitForSelector('soft-align >>> soft-align-tree >>> text');
  return page;
}

test('every hypothesis is drawn from its first word to its end and offered, and what was dropped is told', async (t) => {
  const page = await openLesson(t, 3);
  const { drawn, offered, wanted, dropped, told } = await page.$eval('soft-align', (element) => {
    const root = element.shadowRoot?.querySelector('soft-align-tree')?.shadowRoot;
    const { hypotheses = [], tree = [] } = element.translation ?? {};
    const kept = new Set<number>();
    for (const { leaf } of hypotheses) for (let n = leaf; n >= 0; n = tree[n]?.parent ?? -1) kept.add(n);
    return {
      drawn: root?.querySelectorAll('.found text:not(.probability):not(.score)').length,
      offered: [...(root?.querySelectorAll('label') ?? [])].map(
        (label) => label.textContent?.trim().split(/\s*\n\s*/)[0],
      ),
      wanted: { drawn: kept.size, texts: hypotheses.map(({ text }) => text) },
      // Of what was dropped, every end is one of the others.
      dropped: tree.filter((_, n) => !kept.has(n) && !tree.some(({ parent }) => parent === n)).length,
      told: root?.querySelector('summary')?.textContent ?? '',
    };
  });
  assert.equal(drawn, wanted.drawn);
  assert.equal(offered.length, 3);
  for (const [index, text] of wanted.texts.entries()) assert.ok(offered[index]?.startsWith(text));
  assert.notEqual(dropped, 0);
  assert.equal(told, `${dropped} others were dropped`);
});

test('choosing another hypothesis with the keyboard shows its words and its alignment; one button leads back', async (t) => {
  const page = await openLesson(t, 3);
  const radio = await page.waitForSelector('soft-align >>> soft-align-tree >>> input');
  await radio?.focus();
  await page.keyboard.press('ArrowDown');
  const shown = () =>
    page.$eval('soft-align', async (element) => {
      await element.updateComplete;
      const { translation, hypothesis, alignment } = element;
      const wanted = translation?.hypotheses[hypothesis];
      return {
        hypothesis,
        same: JSON.stringify(alignment?.weights) === JSON.stringify(wanted?.alignment),
        rows: [alignment?.target.length, wanted?.target.length],
        notice: element.shadowRoot?.querySelector('[part=notice]')?.textContent?.trim() ?? '',
      };
    });
  const chosen = await eventually(shown, ({ hypothesis }) => assert.equal(hypothesis, 1));
  assert.ok(chosen.same);
  assert.equal(chosen.rows[0], chosen.rows[1]);
  assert.match(chosen.notice, /This is hypothesis 2 of 3/);
  const best = await page.$('soft-align >>> [part=notice] button');
  await best?.click();
  await eventually(shown, ({ hypothesis, notice }) => assert.deepEqual([hypothesis, notice], [0, '']));
});

test('a greedy search has one line and says why', async (t) => {
  const page = await openLesson(t, 1);
  const { text, lanes } = await page.$eval('soft-align', (element) => {
    const root = element.shadowRoot?.querySelector('soft-align-tree')?.shadowRoot;
    const words = [...(root?.querySelectorAll('.found text:not(.probability)') ?? [])];
    return { text: root?.textContent ?? '', lanes: new Set(words.map((word) => word.getAttribute('y'))).size };
  });
  assert.match(text, /A greedy search keeps one beginning/);
  assert.equal(lanes, 1);
});
