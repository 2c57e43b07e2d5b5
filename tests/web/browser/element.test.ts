import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import type { Translation } from '../../../web/src/translation.ts';
import { translation } from '../translations.ts';
import { cell, errorOf, eventually, open, settled, subFolder } from './harness.ts';
import { lessonPath, lessonSite, model, strictPolicy } from './lesson.ts';

const telling = (page: Page) => page.$eval('soft-align >>> [part=telling]', (line) => line.textContent?.trim());

test('a policy that forbids WebAssembly is named as the reason', async (t) => {
  const web = await lessonSite(t, `<soft-align src="${model}" text="the black cat"></soft-align>`, {
    'content-security-policy': strictPolicy.replace(" 'wasm-unsafe-eval'", ''),
  });
  const page = await open(t, web, { path: lessonPath, expectViolations: true });
  await page.waitForFunction(() =>
    /wasm-unsafe-eval/.test(document.querySelector('soft-align')?.shadowRoot?.textContent ?? ''),
  );
});

test('pointing at a cell highlights its words and the link between them', async (t) => {
  const web = await lessonSite(t, `<soft-align src="${model}" text="the black cat"></soft-align>`);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  const { x, y } = await cell(page, 1, 2);
  await page.mouse.move(x, y);
  const units = await page.$eval('soft-align', (element) => [
    element.alignment?.source[2]?.text,
    element.alignment?.target[1]?.text,
  ]);
  const words = () =>
    page.$$eval('soft-align >>> .word.chosen', (found) => found.map((word) => word.textContent?.trim()));
  await eventually(words, (chosen) => assert.deepEqual(chosen, units));
  await eventually(
    () => page.$$('soft-align >>> path'),
    (paths) => assert.equal(paths.length, 1),
  );
  await page.mouse.move(2, 2);
  await page.waitForFunction(() => !document.querySelector('soft-align')?.shadowRoot?.textContent?.includes('Writing'));
});

test('selecting what is not there is refused with the size of the heatmap', async (t) => {
  const web = await lessonSite(t, `<soft-align src="${model}" text="the black cat"></soft-align>`);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  const message = await page.$eval('soft-align', (element) => {
    element.select({ row: null, column: 2 });
    try {
      element.select({ row: 0, column: 3 });
    } catch (error) {
      return String(error);
    }
    return 'nothing was refused';
  });
  assert.match(message, /^RangeError: There is no row 0, column 3: the heatmap has \d+ rows and 3 columns/);
});

test('a touched word stays highlighted when the finger lifts', async (t) => {
  const web = await lessonSite(t, `<soft-align src="${model}" text="the black cat"></soft-align>`);
  const page = await open(t, web, { path: lessonPath, width: 390 });
  await settled(page);
  const word = await page.waitForSelector('soft-align >>> .source .word:nth-child(2)');
  await word?.tap();
  await eventually(
    () => telling(page),
    (told) => assert.match(told ?? '', /^“black” was/),
  );
});

test('assistive technology finds a table with every weight', async (t) => {
  const web = await lessonSite(t, `<soft-align src="${model}" text="the black cat"></soft-align>`);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  const shape = await page.$eval('soft-align', (element) => [
    element.alignment?.target.length,
    element.alignment?.source.length,
  ]);
  const rows = () => page.$$eval('soft-align >>> tr', (found) => found.map((row) => row.querySelectorAll('td').length));
  await eventually(rows, (cells) => assert.deepEqual(cells, [1, ...Array(shape[0]).fill(shape[1])]));
});

test('a result made elsewhere is shown without a model, subwords joined until the switch is set', async (t) => {
  const web = await lessonSite(t, '<soft-align><p>Nothing yet.</p></soft-align>');
  const page = await open(t, web, { path: lessonPath });
  const made = translation('un +happy cat', 'chat mal +heureux </s>', [
    [0.1, 0.1, 0.8],
    [0.6, 0.3, 0.1],
    [0.2, 0.7, 0.1],
    [0.3, 0.3, 0.4],
  ]);
  await page.evaluate((plain) => {
    const element = document.querySelector('soft-align') as HTMLElementTagNameMap['soft-align'];
    element.translation = { ...plain, alignment: new Float32Array(Object.values(plain.alignment)) };
  }, made);
  const texts = () => page.$eval('soft-align', (element) => element.alignment?.target.map((unit) => unit.text));
  assert.deepEqual(await texts(), ['chat', 'malheureux', '(end)']);
  const control = await page.waitForSelector('soft-align >>> input[role=switch]');
  await control?.click();
  await eventually(texts, (words) => assert.deepEqual(words, ['chat', 'mal', 'heureux', '(end)']));
  await page.waitForSelector('soft-align[pieces]');
});

test('two copies of the module on one page are harmless, and have one engine', async (t) => {
  const copy = `<script type="module" src="${subFolder}soft-align.js"></script>`;
  const one = `<soft-align src="${model}" text="the cat"></soft-align>`;
  const web = await lessonSite(t, `${copy}${one}${one}`);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  assert.ok(web.asked.includes(`${subFolder}soft-align.js`));
  assert.equal(page.workers().length, 1);
});

test('the module under two addresses is harmless', async (t) => {
  const again = '<script type="module" src="/soft-align.js?again"></script>';
  const web = await lessonSite(t, `${again}<soft-align src="${model}" text="the cat"></soft-align>`);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
});

test('a model is loaded when its element comes near, not before', async (t) => {
  const web = await lessonSite(
    t,
    `<div style="height: 6000px"></div><soft-align src="${model}" text="the cat"></soft-align>`,
  );
  const page = await open(t, web, { path: lessonPath });
  await page.waitForSelector('soft-align:defined');
  // Two frames: what is in the window has been told by then.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok(!web.asked.includes(model));
  await page.evaluate(() => scrollTo(0, 6000));
  await settled(page);
});

test('an element that is taken away and put back translates again', async (t) => {
  const web = await lessonSite(t, `<soft-align src="${model}" text="the cat"></soft-align>`);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  await page.$eval('soft-align', (element) => {
    element.remove();
    element.removeAttribute('data-settled');
    document.body.append(element);
  });
  await settled(page);
});

test('a model from a file of the reader’s own is used, and a damaged one told', async (t) => {
  const web = await lessonSite(t, '<soft-align text="the black cat"></soft-align>');
  const page = await open(t, web, { path: lessonPath });
  await page.$eval('soft-align', async (element, url) => element.openModel(await (await fetch(url)).blob()), model);
  await settled(page);
  await page.$eval('soft-align', (element) => element.openModel(new Blob(['no model'])));
  assert.match(await errorOf(page), /not a safetensors file|too short/);
});

test('while the reader types a greedy translation comes at once, and that of the search in the first pause', async (t) => {
  const body = `<soft-align src="${model}" text="the cat" beam="3" editable></soft-align>`;
  const page = await open(t, await lessonSite(t, body), { path: lessonPath });
  await settled(page);
  const widths = await page.$eval('soft-align', async (element) => {
    // The pause passes when the test says so, not when a busy machine is late.
    let pause = () => {};
    globalThis.setTimeout = ((passed: () => void) => {
      pause = passed;
      return 1;
    }) as typeof setTimeout;
    const nextWidth = () =>
      new Promise<number>((told) => {
        const tell = ({ translation }: { translation: Translation }) => told(translation.hypotheses.length);
        element.addEventListener('result', tell, { once: true });
      });
    const field = element.shadowRoot?.querySelector('textarea') as HTMLTextAreaElement;
    field.value = 'the black cat';
    field.dispatchEvent(new InputEvent('input'));
    const first = await nextWidth();
    pause();
    return [first, await nextWidth()];
  });
  assert.deepEqual(widths, [1, 3]);
});

test('a model of the reader’s own stays when the element moves, and when it was away meanwhile', async (t) => {
  const page = await open(t, await lessonSite(t, '<soft-align text="the black cat"></soft-align><p></p>'), {
    path: lessonPath,
  });
  const translations = await page.$eval(
    'soft-align',
    async (element, url) => {
      const result = () =>
        new Promise<string>((resolve) =>
          element.addEventListener('result', ({ translation }) => resolve(translation.input), { once: true }),
        );
      const file = await (await fetch(url)).blob();
      const first = result();
      await element.openModel(file);
      const seen = [await first];
      const moved = result();
      document.querySelector('p')?.after(element);
      element.text = 'the dog';
      seen.push(await moved);
      element.remove();
      await new Promise((resolve) => setTimeout(resolve, 100));
      element.text = 'a bird';
      const back = result();
      document.body.append(element);
      seen.push(await back);
      return seen;
    },
    model,
  );
  assert.deepEqual(translations, ['the black cat', 'the dog', 'a bird']);
});

test('a model of the reader’s own is opened when its element comes into the page, once', async (t) => {
  const page = await open(t, await lessonSite(t, ''), { path: lessonPath });
  const ready = await page.evaluate(async (url) => {
    await customElements.whenDefined('soft-align');
    const element = document.createElement('soft-align');
    let count = 0;
    element.addEventListener('ready', () => count++);
    const file = await (await fetch(url)).blob();
    await element.openModel(file);
    const before = count;
    element.text = 'the cat';
    const result = new Promise((resolve) => element.addEventListener('result', resolve, { once: true }));
    document.body.append(element);
    await result;
    return [before, count];
  }, model);
  assert.deepEqual(ready, [0, 1]);
});

test('an element that follows another goes on when it was away', async (t) => {
  const body = `<soft-align id="leader" text="the cat"></soft-align><soft-align follow="leader"></soft-align>`;
  const page = await open(t, await lessonSite(t, body), { path: lessonPath });
  await page.waitForFunction(() => document.querySelectorAll('soft-align')[1]?.text === 'the cat');
  await page.evaluate(async () => {
    const [leader, follower] = document.querySelectorAll('soft-align');
    if (!leader || !follower) throw new Error('an element is missing');
    follower.remove();
    leader.text = 'the dog';
    await leader.updateComplete;
    document.body.append(follower);
  });
  await page.waitForFunction(() => document.querySelectorAll('soft-align')[1]?.text === 'the dog');
});
