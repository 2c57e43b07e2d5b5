// WebAssembly in a real browser and native give the same: tokens equal, logits within 1e-4 of each other.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as esbuild from 'esbuild';
import type { Comparison } from '../parity/compare.ts';
import { core, dumpNative, root, shippedModels } from '../parity/native.ts';
import { open, site } from './harness.ts';

test('WebAssembly in the browser and native agree on the shipped models', async (t) => {
  const bundle = await esbuild.build({
    absWorkingDir: root,
    stdin: {
      contents: `
        import createCore from ${JSON.stringify(`${core}.js`)};
        import { compareWithNative } from './tests/web/parity/compare.ts';
        const bytes = async (path) => (await fetch(path)).arrayBuffer();
        window.compare = async () => compareWithNative(
          await createCore({ wasmBinary: await bytes('/core.wasm') }),
          new Uint8Array(await bytes('/model')),
          JSON.parse(await (await fetch('/native')).text()));`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const script = bundle.outputFiles[0]?.text ?? '';
  for (const { path, texts } of shippedModels()) {
    const server = await site(t, {
      '/parity.html': `<!doctype html><title>parity</title><script type="module">${script}</script>`,
      '/core.wasm': await readFile(`${core}.wasm`),
      '/model': await readFile(path),
      '/native': `[${dumpNative(path, texts).join(',')}]`,
    });
    const page = await open(t, server, { path: '/parity.html' });
    await page.waitForFunction(() => 'compare' in window);
    const comparison = (await page.evaluate(() =>
      (window as unknown as { compare(): Promise<Comparison> }).compare(),
    )) as Comparison;
    t.diagnostic(`largest difference of two logits: ${comparison.largestLogitDifference}`);
    assert.deepEqual(comparison.differences, []);
    assert.ok(comparison.largestAlignmentDifference < 1e-4, `${comparison.largestAlignmentDifference}`);
    assert.ok(comparison.largestLogitDifference < 1e-4, `${comparison.largestLogitDifference}`);
  }
});
