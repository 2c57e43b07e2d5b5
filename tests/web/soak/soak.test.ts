// The page in long use: what it holds at the end is what it held after the first tenth.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CDPSession, Page, WebWorker } from 'puppeteer-core';
import { dist, open, settled, site } from '../browser/harness.ts';

/** Of 200 changes of the text and five of the model each; ten in continuous integration, more at night. */
const rounds = Number(process.env.SOFTALIGN_SOAK_ROUNDS ?? 10);

/** What is compiled, and what of an element that is gone is not collected yet, differs from time to time. The engine's memory does not. */
const most: Held = { pageHeap: 1.1, workerHeap: 1.1, engineMemory: 1, documents: 1.5, nodes: 1.25, listeners: 1.25 };

interface Held {
  /** JavaScript's memory after what is unreachable was collected, in bytes: of the page, and of the worker. */
  pageHeap: number;
  workerHeap: number;
  /** Of the engine, in bytes: it never shrinks. */
  engineMemory: number;
  documents: number;
  nodes: number;
  listeners: number;
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Runs in the worker before its own script: the engine's memory is nowhere to be asked for. */
const watchMemory = `
  const { instantiate } = WebAssembly;
  globalThis.engineMemories = [];
  WebAssembly.instantiate = async (...call) => {
    const made = await instantiate(...call);
    engineMemories.push(...Object.values(made.instance.exports).filter((it) => it instanceof WebAssembly.Memory));
    return made;
  };`;

declare const engineMemories: WebAssembly.Memory[];

const engineMemoryOf = (worker: WebWorker) =>
  worker.evaluate(() => engineMemories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0));

async function measured(page: Page): Promise<Held> {
  const session = await page.createCDPSession();
  const [worker] = page.workers();
  assert.ok(worker && page.workers().length === 1, 'one worker serves the page');
  // A question that collects more thoroughly than what is meant for it.
  const { result } = await session.send('Runtime.evaluate', { expression: 'AbortController.prototype' });
  await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId as string });
  const pageHeap = await heapOf(session);
  const { documents, nodes, jsEventListeners: listeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  const engineMemory = await engineMemoryOf(worker);
  return { pageHeap, workerHeap: await heapOf(worker.client), engineMemory, documents, nodes, listeners };
}

/** The least of several measurements: what is only waiting to be collected is not held. */
async function held(page: Page): Promise<Held> {
  const least = await measured(page);
  for (let i = 0; i < 5; i++) {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    const again = await measured(page);
    for (const key of Object.keys(least) as (keyof Held)[]) least[key] = Math.min(least[key], again[key]);
  }
  return least;
}

/** In the page: what a reader does in an hour, quickly. */
async function round(number: number): Promise<void> {
  const stage = document.querySelector('soft-align') as HTMLElementTagNameMap['soft-align'];
  const story = document.querySelector('#story') as HTMLElement;
  const words = 'the black cat red dog I am tired a small bird eats apples'.split(' ');
  const until = (type: string, on = stage) =>
    new Promise((resolve) => on.addEventListener(type, resolve, { once: true }));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const shows = async (text: string) => {
    while (stage.translation?.input !== text) await until('result');
  };
  const type = async (times: number) => {
    let text = '';
    for (let i = 0; i < times; i++) {
      text = Array.from({ length: 2 + (i % 3) }, (_, at) => words[(number + i * 5 + at * 7) % words.length]).join(' ');
      stage.text = text;
      // Some are typed quicker than they are answered.
      if (i % 4 === 3) await shows(text);
    }
    await shows(text);
  };
  for (const model of ['dates', 'g2p', 'reverse-dot', 'dates', 'en-fr']) {
    stage.src = `models/${model}.safetensors`;
    await until('ready');
    await type(40);
    stage.steps = stage.tree = stage.pieces = !stage.steps;
    stage.select({ row: 0, column: 0 });
    await frame();
  }
  // Moved, hidden and shown, removed and put back.
  story.before(stage);
  await until('ready');
  stage.hidden = true;
  await frame();
  stage.hidden = false;
  const place = document.createComment('');
  stage.replaceWith(place);
  await frame();
  place.replaceWith(stage);
  await until('ready');
  // Others come and go: with a model of the reader's own, with the same one, before it has arrived, and following this one.
  const comes = async (about: Partial<HTMLElementTagNameMap['soft-align']>, file?: Blob) => {
    const other = document.createElement('soft-align');
    Object.assign(other, { text: 'cat', ...about });
    stage.before(other);
    if (file) {
      void other.openModel(file);
      await until('result', other);
    } else await frame();
    other.remove();
  };
  await comes({}, await (await fetch('models/dates.safetensors')).blob());
  await comes({ src: 'models/en-fr.safetensors' });
  await comes({ src: 'models/g2p.safetensors' });
  await comes({ follow: stage.id });
  // As it was before.
  Object.assign(stage, { steps: false, tree: false, pieces: false });
  stage.select(null);
  stage.text = 'The end.';
  await shows(stage.text);
  await frame();
}

test('an hour of reading leaves nothing behind', async (t) => {
  const script = await readFile(join(dist, 'worker.js'), 'utf8');
  const web = await site(t, {
    '/worker.js': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(watchMemory + script),
  });
  const page = await open(t, web);
  await settled(page);
  const other = await page.browserContext().newPage();
  await page.bringToFront();
  const play = async (number: number) => {
    await page.evaluate(round, number);
    await other.bringToFront();
    await page.bringToFront();
  };
  const tenth = Math.ceil(rounds / 10);
  for (let number = 0; number < tenth; number++) await play(number);
  const before = await held(page);
  for (let number = tenth; number < rounds; number++) {
    await play(number);
    console.log(JSON.stringify(await held(page)));
  }
  const after = await held(page);
  t.diagnostic(`after a tenth ${JSON.stringify(before)}, at the end ${JSON.stringify(after)}`);
  for (const what of Object.keys(after) as (keyof Held)[])
    assert.ok(after[what] <= before[what] * most[what], `${what}: ${before[what]} became ${after[what]}`);
});
