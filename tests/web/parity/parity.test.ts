// WebAssembly in Node and native give the same: tokens equal, logits within 1e-4 of each other.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Core, default as CreateCore } from 'softalign-core';
import { goldenModel } from '../models.ts';
import { compareWithNative } from './compare.ts';
import { core, dumpNative, parse, shippedModels } from './native.ts';

async function startCore(): Promise<Core> {
  const create: typeof CreateCore = (await import(pathToFileURL(`${core}.js`).href)).default;
  return create({ wasmBinary: new Uint8Array(await readFile(`${core}.wasm`)).buffer });
}

async function compare(t: TestContext, file: string, texts?: string[]): Promise<void> {
  const comparison = compareWithNative(await startCore(), await readFile(file), parse(dumpNative(file, texts)));
  t.diagnostic(`largest difference of two logits: ${comparison.largestLogitDifference}`);
  assert.deepEqual(comparison.differences, []);
  assert.ok(comparison.largestAlignmentDifference < 1e-4, `${comparison.largestAlignmentDifference}`);
  assert.ok(comparison.largestLogitDifference < 1e-4, `${comparison.largestLogitDifference}`);
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
  for (const { path, texts } of shippedModels()) await compare(t, path, texts);
});
