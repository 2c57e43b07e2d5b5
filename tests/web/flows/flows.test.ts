// What readers do, in the browser that SOFTALIGN_BROWSER names: chromium, firefox or webkit.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SoftAlign } from '../../../web/src/element/soft-align.ts';
import { eventually } from '../eventually.ts';
import { goldenModel } from '../models.ts';
import { dist, type Site, site } from '../site.ts';
import { openPuppeteerTab } from './puppeteer-tab.ts';
import { type Tab, until } from './tab.ts';
import { openWebKitTab } from './webkit-tab.ts';

const model = '/tiny.safetensors';
const shipped = '/models/en-fr.safetensors';

function tabOf(browser: string): Promise<Tab> {
  if (browser === 'chromium' || browser === 'firefox') return openPuppeteerTab(browser);
  if (browser === 'webkit') return openWebKitTab();
  throw new Error(`SOFTALIGN_BROWSER is '${browser}'; set it to chromium, firefox or webkit.`);
}

/** A page in a tab. */
async function visit(t: TestContext, web: Site, path: string): Promise<Tab> {
  const tab = await tabOf(process.env.SOFTALIGN_BROWSER ?? 'chromium');
  t.after(() => tab.close());
  await tab.open(`${web.url}${path}`);
  return tab;
}

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; report-uri /violation";

/** A lesson page that somebody else might write, whose host has a strict policy that nothing may violate. */
async function lesson(t: TestContext, body: string): Promise<{ web: Site; tab: Tab }> {
  const page = `<!doctype html><html lang="en"><title>A lesson</title><script type="module" src="/soft-align.js"></script>${body}`;
  const answers = { [model]: await goldenModel(), '/lesson.html': page };
  const web = await site(t, answers, { 'content-security-policy': policy });
  t.after(() => assert.ok(!web.asked.includes('/violation'), 'the policy was violated'));
  return { web, tab: await visit(t, web, '/lesson.html') };
}

const element = (text: string, more = '') => `<soft-align src="${model}" text="${text}" ${more}></soft-align>`;

/** Waits until the model has translated what every element asks for. */
const settled = (tab: Tab) =>
  until(tab, () => {
    const elements = [...document.querySelectorAll('soft-align')];
    const isDone = ({ information, translation, text }: SoftAlign) => information && translation?.input === text;
    return elements.length > 0 && elements.every(isDone);
  });

const translated = (tab: Tab, text: string) =>
  until(tab, (wanted) => document.querySelector('soft-align')?.translation?.input === wanted, text);

/** Waits until a part of the element says something. */
const says = (tab: Tab, part: string, wanted: RegExp) =>
  eventually(
    () =>
      tab.run(
        (name) =>
          document.querySelector('soft-align')?.shadowRoot?.querySelector(`[part=${name}]`)?.textContent?.trim(),
        part,
      ),
    (text) => assert.match(text ?? '', wanted),
  );

/** Replaces the sentence in the field. */
async function write(tab: Tab, sentence: string): Promise<void> {
  const { x, y } = await until(tab, () => {
    // The list of models may wrap lines above the field, which would move it from under the pointer.
    if (document.querySelector('[data-waiting]')) return undefined;
    const field = document.querySelector('soft-align')?.shadowRoot?.querySelector('textarea');
    field?.scrollIntoView({ block: 'nearest' });
    return field?.getBoundingClientRect().toJSON() as DOMRect | undefined;
  });
  await tab.clickThrice(x + 30, y + 15);
  await tab.type(sentence);
  await translated(tab, sentence);
}

/** Moves the focus on, past the switches, to the heatmap. */
async function tabToHeatmap(tab: Tab): Promise<void> {
  const focused = () => document.querySelector('soft-align')?.shadowRoot?.activeElement?.localName;
  for (let stop = 0; stop < 9 && (await tab.run(focused)) !== 'soft-align-heatmap'; stop++) await tab.press('Tab');
}

test('a sentence that is typed is translated and drawn', async (t) => {
  const tab = await visit(t, await site(t), '/');
  await write(tab, 'I have a red apple.');
  const seen = () => {
    const stage = document.querySelector('soft-align');
    const { translation, alignment, shadowRoot } = stage ?? {};
    const heatmap = shadowRoot?.querySelector('soft-align-heatmap');
    const written = heatmap && shadowRoot?.querySelector('soft-align-sentences')?.shadowRoot?.querySelector('.target');
    const canvas = heatmap?.shadowRoot?.querySelector('canvas');
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return {
      text: translation?.text,
      written: written?.textContent?.trim(),
      weights: alignment?.weights.length,
      cells: (alignment?.source.length ?? 0) * (alignment?.target.length ?? 0),
      colours: new Set(pixels).size,
    };
  };
  await eventually(
    () => tab.run(seen),
    (shown) => {
      assert.match(shown.text ?? '', /pomme/);
      assert.equal(shown.written, shown.text);
      assert.equal(shown.weights, shown.cells);
      assert.ok(shown.colours > 20, `${shown.colours} values on the canvas`);
    },
  );
});

test('everything can be reached with the keyboard alone', async (t) => {
  const { tab } = await lesson(t, element('the black cat', 'editable'));
  await settled(tab);
  await tab.press('Tab');
  await tab.press('End');
  await tab.type(' sleeping');
  await translated(tab, 'the black cat sleeping');
  await tabToHeatmap(tab);
  await until(tab, () => document.querySelector('soft-align')?.selection);
  await says(tab, 'telling', /^Writing “[^”]+”, the model read/);
  await tab.press('ArrowRight');
  await tab.press('ArrowRight');
  await until(tab, () => document.querySelector('soft-align')?.selection?.column === 1);
  await says(tab, 'telling', /^Writing “[^”]+”, the model read .* from “black”\.$/);
  await tab.press('ArrowUp');
  await until(tab, () => document.querySelector('soft-align')?.selection?.row === null);
  await says(tab, 'telling', /^“black” was/);
  await tab.press('Escape');
  await until(tab, () => document.querySelector('soft-align')?.selection === null);
  await says(tab, 'telling', /^Point at/);
});

test('a share is changed with an arrow key, another word by pressing it, and the rest is written again', async (t) => {
  const { tab } = await lesson(t, element('the black cat', 'steps'));
  await settled(tab);
  const before = await until(tab, () => {
    const step = document.querySelector('soft-align')?.shadowRoot?.querySelector('soft-align-step');
    const root = step?.shadowRoot?.querySelector('soft-align-reading')?.shadowRoot;
    const slider = root?.querySelector<HTMLInputElement>('input[tabindex="0"]');
    slider?.focus();
    return step?.details && slider && Number(slider.value);
  });
  await tab.press(before < 100 ? 'ArrowRight' : 'ArrowLeft');
  const read = await until(tab, () => {
    const { imposed, alignment } = document.querySelector('soft-align')?.translation ?? {};
    return imposed?.weights[0] === 0 ? Math.max(...(alignment?.subarray(0, 3) ?? [])) : 0;
  });
  assert.ok(Math.abs(Math.abs(100 * read - before) - 1) < 0.01, `${before} % became ${100 * read} %`);
  const word = await tab.run(() => {
    const step = document.querySelector('soft-align')?.shadowRoot?.querySelector('soft-align-step');
    step?.shadowRoot?.querySelector<HTMLElement>('[aria-pressed=false]')?.click();
    return step?.details?.alternatives.find(({ id }) => id !== step.written?.id)?.id;
  });
  await until(tab, (id) => document.querySelector('soft-align')?.translation?.target[0]?.id === id, word);
  await says(tab, 'notice', /^Imposed: you/);
});

test('two elements share one worker and one download', async (t) => {
  const { web, tab } = await lesson(t, element('the black cat') + element('the red apple'));
  await settled(tab);
  for (const shared of [model, '/worker.js', '/softalign-core.wasm'])
    assert.equal(web.asked.filter((path) => path === shared).length, 1, shared);
});

test('a sandboxed frame, where workers and storage are refused, shows the element and tells its height', async (t) => {
  const frame = '<iframe sandbox="allow-scripts" title="A frame" width="700" src="/embed.html#text=A+house."></iframe>';
  const page = `<!doctype html><html lang="en"><title>A lesson</title>${frame}<script>${listen}</script>`;
  const tab = await visit(
    t,
    await site(t, { '/lesson.html': page }, { 'access-control-allow-origin': '*' }),
    '/lesson.html',
  );
  await until(tab, () => Number(document.body.dataset.height) > 200);
  await tab.enterFrame();
  await settled(tab);
});

const listen = `
  addEventListener('message', ({ data }) => { document.body.dataset.height = data.height; });
  document.querySelector('iframe').contentWindow.postMessage({ type: 'softalign:size' }, '*');`;

test('a frame asks no other host', async (t) => {
  const tab = await visit(t, await site(t), '/embed.html');
  await settled(tab);
  const other = await site(t, {}, { 'access-control-allow-origin': '*' });
  assert.equal(
    await tab.run(
      (url) =>
        fetch(url).then(
          () => 'answered',
          () => 'refused',
        ),
      other.url,
    ),
    'refused',
  );
  assert.deepEqual(other.asked, []);
});

test('sixty words keep the page in its window and every word reachable', async (t) => {
  const sentence = Array.from({ length: 60 }, (_, index) => ['the', 'black', 'cat', 'sleeping'][index % 4]).join(' ');
  const { tab } = await lesson(t, element(sentence));
  await tab.resize(390, 844);
  await settled(tab);
  await until(tab, () => document.querySelector('soft-align')?.cellRectangle(0, 0) !== undefined);
  const [, width] = await eventually(
    () => tab.run(() => [document.documentElement.scrollWidth, innerWidth] as const),
    ([widest, width]) => assert.ok(widest <= width, `${widest} of ${width}`),
  );
  await tabToHeatmap(tab);
  await tab.press('ArrowRight');
  await tab.press('End');
  const cell = await until(tab, () => {
    const stage = document.querySelector('soft-align');
    return stage?.selection?.column === 59 && stage.cellRectangle(0, 59)?.toJSON();
  });
  assert.ok(cell.left >= 0 && cell.right <= width, JSON.stringify(cell));
});

test('a right-to-left sentence is drawn in its own order', async (t) => {
  const { tab } = await lesson(t, element('החתול השחור ישן'));
  await settled(tab);
  const places = await until(tab, () => {
    const stage = document.querySelector('soft-align');
    const words = stage?.shadowRoot
      ?.querySelector('soft-align-sentences')
      ?.shadowRoot?.querySelectorAll('.source .word');
    const columns = [0, 1, 2].map((column) => stage?.cellRectangle(0, column)?.x ?? 0);
    return stage?.cellRectangle(0, 0) && [columns, [...(words ?? [])].map((word) => word.getBoundingClientRect().x)];
  });
  for (const [first = 0, second = 0, third = 0] of places)
    assert.ok(first > second && second > third, `${first}, ${second}, ${third}`);
});

test('a broken model is refused and says why', async (t) => {
  const whole = await readFile(join(dist, shipped));
  const tab = await visit(t, await site(t, { [shipped]: whole.subarray(0, whole.length / 2) }), '/');
  const message = await until(
    tab,
    () => document.querySelector('soft-align')?.shadowRoot?.querySelector('[role=alert] p')?.textContent,
  );
  assert.match(message, /^tensor "[\w.]+": .*\b\d+ bytes of data/);
});

test('a model that arrives slowly shows how much has come', async (t) => {
  const whole = await readFile(join(dist, shipped));
  let finish = () => {};
  const web = await site(t, {
    [shipped]: (_, response) => {
      response.writeHead(200, { 'content-length': whole.length });
      response.write(whole.subarray(0, whole.length / 2));
      finish = () => response.end(whole.subarray(whole.length / 2));
    },
  });
  const tab = await visit(t, web, '/');
  await until(tab, () => {
    const { value = 0 } = document.querySelector('soft-align')?.shadowRoot?.querySelector('progress') ?? {};
    return value > 0.45 && value < 0.55;
  });
  finish();
  await settled(tab);
});

test('the second visit needs no server', async (t) => {
  const web = await site(t);
  const tab = await visit(t, web, '/');
  await until(tab, () => /needs no connection/.test(document.querySelector('#kept')?.textContent ?? ''));
  await web.stop();
  await tab.open(`${web.url}/`);
  await write(tab, 'I have a red apple.');
});
