// WebAssembly in Node and native give the same: tokens equal; logits within 1e-4 of each other with f32 weights, to the last
// bit with 8-bit weights.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { goldenModel } from '../models.ts';
import { type Comparison, compareWithNative, identical } from './compare.ts';
import { dumpNative, parse, root, shippedModels } from './native.ts';
import { startCore } from './wasm.ts';

async function compare(file: string, texts?: string[]): Promise<Comparison> {
  return compareWithNative(await startCore(), await readFile(file), parse(dumpNative(file, texts)));
}

for (const name of ['additive-bidirectional', 'additive-readout-tied', 'luong-general-feeding', 'vanilla']) {
  test(`WebAssembly and native agree on the golden case ${name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'softalign-parity-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'model.safetensors');
    await writeFile(file, await goldenModel(name));
    const comparison = await compare(file);
    t.diagnostic(`largest difference of two logits: ${comparison.largestLogitDifference}`);
    assert.deepEqual(comparison.differences, []);
    assert.ok(comparison.largestAlignmentDifference < 1e-4, `${comparison.largestAlignmentDifference}`);
    assert.ok(comparison.largestLogitDifference < 1e-4, `${comparison.largestLogitDifference}`);
  });
}

test('WebAssembly gives what native gives with the shipped models, bit for bit', async () => {
  for (const { path, texts } of shippedModels()) {
    assert.deepEqual(await compare(path, texts), identical, path);
  }
});

test('200 sentences have the same rows and columns in the command and on the page', async () => {
  const visitors = (await readFile(join(root, 'models/visitors.tsv'), 'utf8')).trim().split('\n');
  const typed = visitors.map((line) => line.split('\t')[0] as string);
  const quoted = typed.map((text, index) => `(${typed.at(-1 - index)}) “${text}” — isn't it, mother-in-law…?!`);
  const texts = [...typed, ...quoted];
  assert.equal(texts.length, 200);
  for (let first = 0; first < texts.length; first += 25) {
    const some = texts.slice(first, first + 25); // whose logits fit into a string
    const { differences } = await compare(join(root, 'models/en-fr.safetensors'), some);
    assert.deepEqual(differences, []);
  }
});
