import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import type * as Package from '../../../web/src/index.ts';
import { goldenModel } from '../models.ts';
import { open, site } from './harness.ts';

const model = '/tiny.safetensors';

declare global {
  // What the test page's script leaves for the tests.
  var softalign: typeof Package;
}

async function openPackage(t: TestContext): Promise<Page> {
  const script = Buffer.from("import * as softalign from '/softalign.js'; globalThis.softalign = softalign;");
  const web = await site(t, {
    [model]: await goldenModel(),
    '/use.js': (_, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(script),
    '/use.html': '<!doctype html><title>Use</title><script type="module" src="/use.js"></script>',
  });
  const page = await open(t, web, { path: '/use.html' });
  await page.waitForFunction(() => globalThis.softalign);
  return page;
}

test('a translation has its tokens, offsets and one row of weights per target token', async (t) => {
  const page = await openPackage(t);
  const seen = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const result = await translator.translate('  the\tblack cat ');
    translator.dispose();
    return { ...result, alignment: [...result.alignment], isFloat32: result.alignment instanceof Float32Array };
  }, model);
  assert.equal(seen.input, 'the black cat');
  assert.ok(seen.isFloat32);
  assert.equal(seen.alignment.length, seen.source.length * seen.target.length);
  for (const token of seen.source) assert.equal(seen.input.slice(token.begin, token.end), token.text);
  for (const token of seen.target)
    if (!token.special) assert.equal(seen.text.slice(token.begin, token.end), token.text);
  for (let row = 0; row < seen.target.length; row++) {
    const sum = seen.alignment.slice(row * seen.source.length, (row + 1) * seen.source.length).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-5);
  }
});

test('offsets count UTF-16 units, beyond the basic plane too', async (t) => {
  const page = await openPackage(t);
  const result = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    return translator.translate('😀 e\u0301te\u0301 cat');
  }, model);
  assert.equal(result.input, '😀 été cat');
  assert.deepEqual(
    result.source.map(({ begin, end }) => result.input.slice(begin, end)),
    ['😀', 'été', 'cat'],
  );
});

test('beam search returns the hypotheses that were asked for, best first', async (t) => {
  const page = await openPackage(t);
  const hypotheses = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const result = await translator.translate('the black cat', { beam: 4, nbest: 3 });
    return result.hypotheses.map(({ score, finished }) => ({ score, finished }));
  }, model);
  assert.equal(hypotheses.length, 3);
  const better = (a: { score: number; finished: boolean }, b: typeof a) =>
    Number(b.finished) - Number(a.finished) || b.score - a.score;
  assert.deepEqual(hypotheses, [...hypotheses].sort(better));
});

test('tokens, texts and weights can be imposed, and the steps and the tree tell what became of them', async (t) => {
  const page = await openPackage(t);
  const { prefix, words, imposed, row, step, tree, leaf, refusals } = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const own = await translator.translate('the black cat');
    const token = own.target[0] as Package.Token;
    const weights = new Map([[1, [0, 0.25, 0.75]]]);
    const result = await translator.translate('the black cat', {
      prefix: [token, 'chien oiseau'],
      weights,
      tree: true,
    });
    const [, second] = await translator.steps(result);
    const refuse = (options: Package.TranslateOptions) =>
      translator.translate('cat', options).catch(({ kind }) => kind);
    return {
      prefix: [token.text, 'chien', 'oiseau'],
      words: result.target.slice(0, 3).map(({ text }) => text),
      imposed: result.imposed,
      row: [...result.alignment.slice(3, 6)],
      step: [...(second?.weights ?? [])],
      tree: result.tree?.map(({ id, parent }) => [id, parent]),
      leaf: [result.hypotheses[0]?.leaf, result.target.map(({ id }, index) => [id, index - 1])],
      refusals: [await refuse({ prefix: [{ id: 1 }] }), await refuse({ weights: new Map([[0, [0.5, 0.5]]]) })],
    };
  }, model);
  assert.deepEqual(words, prefix);
  assert.deepEqual(imposed, { prefix: 3, weights: [1] });
  assert.deepEqual(row, [0, 0.25, 0.75]);
  assert.deepEqual(step, row);
  assert.deepEqual([(tree?.length ?? 0) - 1, tree], leaf);
  assert.deepEqual(refusals, ['usage', 'usage']);
});

test('nasty input neither crashes nor passes unseen', async (t) => {
  const page = await openPackage(t);
  const results = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const inputs = ['', ' \n\t ', '\0', 'a\0b', '\ud800', 'x\udfffy', '😀', 'שלום עולם', 'the '.repeat(1000)];
    const made = [];
    for (const input of inputs) made.push(await translator.translate(input, { maxLength: 50 }));
    return made.map(({ input, source, target }) => ({ input, source: source.length, target: target.length }));
  }, model);
  assert.deepEqual(results.slice(0, 3), Array(3).fill({ input: '', source: 0, target: 0 }));
  assert.deepEqual(
    results.slice(3, 6).map(({ input }) => input),
    ['a b', '\ufffd', 'x\ufffdy'],
  );
  assert.equal(results.at(-1)?.source, 1000);
});

test('a newer call takes the place of an older one, which says so', async (t) => {
  const page = await openPackage(t);
  const outcomes = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const texts = ['the', 'the black', 'the black cat'];
    const settledCalls = await Promise.allSettled(texts.map((text) => translator.translate(text, { supersede: true })));
    return settledCalls.map((call) => (call.status === 'fulfilled' ? call.value.input : call.reason.name));
  }, model);
  assert.deepEqual(outcomes, ['SupersededError', 'SupersededError', 'the black cat']);
});

test('calls that do not supersede are all answered, in order', async (t) => {
  const page = await openPackage(t);
  const inputs = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const results = await Promise.all(['the', 'a', 'cat'].map((text) => translator.translate(text)));
    return results.map(({ input }) => input);
  }, model);
  assert.deepEqual(inputs, ['the', 'a', 'cat']);
});

test('an abort rejects with its reason, before and during the work', async (t) => {
  const page = await openPackage(t);
  const names = await page.evaluate(async (url) => {
    const nameOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'fulfilled',
        (error) => error.name,
      );
    const translator = await softalign.Translator.load(url);
    const controller = new AbortController();
    const running = nameOf(translator.translate('the '.repeat(500), { signal: controller.signal }));
    controller.abort();
    return [
      await running,
      await nameOf(translator.translate('the', { signal: AbortSignal.abort() })),
      await nameOf(softalign.Translator.load(url, { signal: AbortSignal.abort() })),
      await nameOf(translator.translate('the')),
    ];
  }, model);
  assert.deepEqual(names, ['AbortError', 'AbortError', 'AbortError', 'fulfilled']);
});

test('a tree of more than 10,000 tokens is cut, and says so', async (t) => {
  const page = await openPackage(t);
  const { nodes, leftOut, whole } = await page.evaluate(async (url) => {
    const translator = await softalign.Translator.load(url);
    const options = { beam: 40, nbest: 40, maxLength: 300, tree: true };
    const { tree = [], treeLeftOut = 0 } = await translator.translate('cat '.repeat(300), options);
    const whole = tree.every(({ parent }, index) => parent < index);
    return { nodes: tree.length, leftOut: treeLeftOut, whole };
  }, model);
  assert.equal(nodes, 10_000);
  assert.ok(leftOut > 0 && whole, `${leftOut} ${whole}`);
});

test('a file of the reader’s own becomes a translator', async (t) => {
  const page = await openPackage(t);
  const information = await page.evaluate(async (url) => {
    const bytes = await (await fetch(url)).arrayBuffer();
    const translator = await softalign.Translator.fromBytes(bytes);
    await translator.translate('the cat');
    return translator.information;
  }, model);
  assert.equal(information.sourceVocabulary, 23);
  assert.equal(information.targetVocabulary, 29);
  assert.equal(information.configuration.score, 'additive');
  assert.match(String(information.card.task), /golden/);
});

test('errors are of their class and their message says what to do', async (t) => {
  const page = await openPackage(t);
  const errors = await page.evaluate(async (url) => {
    const errorOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'none',
        (error) => `${error instanceof softalign.SoftAlignError} ${error.name} ${error.kind} ${error.message}`,
      );
    const translator = await softalign.Translator.load(url);
    const disposed = await softalign.Translator.load(url);
    disposed.dispose();
    return [
      await errorOf(softalign.Translator.load('/nowhere.safetensors')),
      await errorOf(softalign.Translator.fromBytes(new ArrayBuffer(3))),
      await errorOf(translator.translate('the', { beam: -1 })),
      await errorOf(disposed.translate('the')),
      await errorOf(translator.translate('the')),
    ];
  }, model);
  assert.match(errors[0] ?? '', /^true NetworkError network .* Check the address/);
  assert.match(errors[1] ?? '', /^true ModelError model .*too short/);
  assert.match(errors[2] ?? '', /^true UsageError usage beam is -1; give a whole number/);
  assert.match(errors[3] ?? '', /^true UsageError usage .* load it again/);
  assert.equal(errors[4], 'none');
});
