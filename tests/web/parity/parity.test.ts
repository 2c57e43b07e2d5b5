// WebAssembly and native give the same: tokens equal, logits within 1e-4 of each other.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Core, CoreModel, default as CreateCore } from 'softalign-core';
import { goldenModel } from '../models.ts';

const root = new URL('../../../', import.meta.url).pathname;
const dump = process.env.SOFTALIGN_PARITY_DUMP ?? join(root, 'build/native/tests/web/parity_dump');
const core = join(root, 'build/wasm/web/bridge/softalign-core');

const sentences = [
  'The black cat is sleeping on the bed.',
  "I don't know what to say.",
  'She gave me a red apple yesterday.',
  'the cat',
  'Ünïcödé 😀 שלום',
  'Cafe\u0301 at noon?',
  'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(4).trim(),
];

interface Dumped {
  text: string;
  translation: string;
  source: number[];
  target: number[];
  alignment: number[];
  logits: number[];
}

async function startCore(): Promise<Core> {
  const create: typeof CreateCore = (await import(pathToFileURL(`${core}.js`).href)).default;
  return create({ wasmBinary: new Uint8Array(await readFile(`${core}.wasm`)).buffer });
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  assert.equal(a.length, b.length);
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs((a[i] as number) - (b[i] as number)));
  return largest;
}

async function compare(t: TestContext, file: string): Promise<void> {
  const output = execFileSync(dump, [file], { input: `${sentences.join('\n')}\n`, maxBuffer: 1 << 30 });
  const dumped: Dumped[] = output
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(dumped.length, sentences.length);
  const model = (await startCore()).Model.open(await readFile(file)) as CoreModel;
  let logitDifference = 0;
  for (const native of dumped) {
    const options = { beam: 1, nbest: 1, lengthPenalty: 1, maxLength: 0 };
    const result = model.translate(new TextEncoder().encode(native.text), options);
    assert.ok(!('error' in result));
    const best = result.hypotheses[0];
    assert.equal(best?.text, native.translation);
    assert.deepEqual(
      result.source.map(({ id }) => id),
      native.source,
    );
    const target = [1, ...(best?.target.map(({ id }) => id) ?? [])];
    if (!best?.finished) target.push(2);
    assert.deepEqual(target, native.target);
    assert.ok(largestDifference(best?.alignment ?? [], native.alignment) < 1e-4);
    const logits = model.logits(native.source, native.target);
    assert.ok(logits instanceof Float32Array);
    logitDifference = Math.max(logitDifference, largestDifference(logits, native.logits));
  }
  model.delete();
  t.diagnostic(`largest difference of two logits: ${logitDifference}`);
  assert.ok(logitDifference < 1e-4, `${logitDifference}`);
}

for (const name of ['additive-bidirectional', 'additive-readout-tied', 'luong-general-feeding', 'vanilla']) {
  test(`WebAssembly and native agree on the golden case ${name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'softalign-parity-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'model.safetensors');
    await writeFile(file, await goldenModel(name));
    await compare(t, file);
  });
}

test('WebAssembly and native agree on the shipped models', async (t) => {
  const manifest = JSON.parse(await readFile(join(root, 'models/manifest.json'), 'utf8'));
  assert.ok(manifest.models.length > 0);
  for (const { file } of manifest.models) await compare(t, join(root, 'models', file));
});
