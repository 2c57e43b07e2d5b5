// The module for notebooks, run as they run it: from memory, with a model whose traits a kernel may change.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { goldenModel } from '../models.ts';
import { eventually, open, type Site, site, write } from './harness.ts';

const file = '/tiny.safetensors';

/** A notebook's side of a widget. */
interface Notebook {
  kernel: boolean;
  traits: Record<string, unknown>;
  /** What was told to the kernel. */
  saved: Record<string, unknown>;
  listeners: Map<string, Set<() => void>>;
  /** Changes a trait, as the kernel does. */
  change(name: string, value: unknown): void;
  /** Shows the widget in a cell, another module a time. */
  show(cell: HTMLElement): Promise<() => void>;
}

declare global {
  // What the page's script leaves for the tests.
  var notebook: Notebook;
}

const notebookScript = `
  const listeners = new Map();
  const at = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
  const change = (name, value) => {
    if (notebook.traits[name] === value) return;
    notebook.traits[name] = value;
    for (const listener of at('change:' + name)) listener();
  };
  // As MyST's model does.
  const needKernel = () => {
    if (!notebook.kernel) throw new Error('not implemented yet');
  };
  const model = {
    get: (name) => notebook.traits[name],
    set: change,
    save_changes() {
      needKernel();
      notebook.saved = { ...notebook.traits };
    },
    on: (event, listener) => at(event).add(listener),
    off(event, listener) {
      needKernel();
      at(event).delete(listener);
    },
  };
  const source = fetch('/notebook/softalign-anywidget.js').then((answer) => answer.text());
  async function show(el) {
    const url = URL.createObjectURL(new Blob([await source], { type: 'text/javascript' }));
    const { default: widget } = await import(url);
    return widget.render({ model, el });
  }
  globalThis.notebook = { kernel: true, traits: {}, saved: {}, listeners, change, show };`;

async function openNotebook(t: TestContext): Promise<{ web: Site; page: Page }> {
  const web = await site(t, {
    '/notebook.html': `<!doctype html><title>N</title><div id="cell"></div><script type="module">${notebookScript}</script>`,
    [file]: await goldenModel(),
  });
  const page = await open(t, web, { path: '/notebook.html' });
  await page.waitForFunction(() => globalThis.notebook);
  return { web, page };
}

const show = (page: Page, traits: Record<string, unknown>) =>
  page.evaluate(async (values) => {
    Object.assign(notebook.traits, values);
    await notebook.show(document.querySelector('#cell') as HTMLElement);
  }, traits);

/** Waits until the kernel was told of the translation of a text. */
const told = async (page: Page, text: string) => {
  const saved = await page.waitForFunction(
    (wanted) => {
      const { saved } = notebook;
      return (saved.result as { input?: string } | undefined)?.input === wanted && saved;
    },
    {},
    text,
  );
  return (await saved.jsonValue()) as { text: string; result: Record<string, unknown[]> };
};

test('a notebook shows a sentence, and is told its translation with every weight', async (t) => {
  const { web, page } = await openNotebook(t);
  await show(page, { src: file, text: 'the black cat' });
  const { result } = await told(page, 'the black cat');
  assert.equal(result.source?.length, 3);
  assert.equal(result.alignment?.length, 3 * (result.target?.length ?? 0));
  const beside = web.asked.filter((path) => !['/notebook.html', '/favicon.ico', file].includes(path));
  assert.deepEqual(beside, ['/notebook/softalign-anywidget.js']);
});

test('what the reader types is told, and what the kernel sets is shown', async (t) => {
  const { page } = await openNotebook(t);
  await show(page, { src: file, text: 'the black cat', editable: true });
  await told(page, 'the black cat');
  await write(page, 'the red apple');
  assert.equal((await told(page, 'the red apple')).text, 'the red apple');
  await page.evaluate(() => notebook.change('text', 'a small dog'));
  await told(page, 'a small dog');
  await eventually(
    () => page.$eval('soft-align >>> textarea', ({ value }) => value),
    (value) => assert.equal(value, 'a small dog'),
  );
});

test('a model comes as bytes of the kernel’s file', async (t) => {
  const { web, page } = await openNotebook(t);
  await page.evaluate(async (url) => {
    const bytes = await (await fetch(url)).arrayBuffer();
    // Within a greater message, as a kernel's are.
    const message = new Uint8Array(bytes.byteLength + 16);
    message.set(new Uint8Array(bytes), 8);
    notebook.traits.file = new DataView(message.buffer, 8, bytes.byteLength);
  }, file);
  await show(page, { src: '', text: 'the black cat' });
  await told(page, 'the black cat');
  assert.equal(web.asked.filter((path) => path === file).length, 1);
});

test('a page without a kernel shows the widget all the same, and can take it away', async (t) => {
  const { page } = await openNotebook(t);
  await page.evaluate(async (src) => {
    Object.assign(notebook, { kernel: false, traits: { src, text: 'the black cat' } });
    const clear = await notebook.show(document.querySelector('#cell') as HTMLElement);
    addEventListener('click', clear);
  }, file);
  await page.waitForFunction(() => document.querySelector('soft-align')?.information);
  await page.evaluate(() => dispatchEvent(new Event('click')));
  assert.equal(await page.$('soft-align'), null);
});

test('several cells share a page, and one that is cleared leaves nothing behind', async (t) => {
  const { page } = await openNotebook(t);
  await show(page, { src: file, text: 'the black cat' });
  await told(page, 'the black cat');
  const left = await page.evaluate(async () => {
    const heard = () => [...notebook.listeners.values()].reduce((sum, { size }) => sum + size, 0);
    const before = heard();
    const clear = await notebook.show(document.querySelector('#cell') as HTMLElement);
    const shown = document.querySelectorAll('soft-align').length;
    clear();
    return { shown, after: document.querySelectorAll('soft-align').length, forgotten: heard() === before };
  });
  assert.deepEqual(left, { shown: 2, after: 1, forgotten: true });
});
