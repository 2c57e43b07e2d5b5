// WebAssembly in a real browser and native give the same: with 8-bit weights, which the shipped models have, to the last bit.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as esbuild from 'esbuild';
import { type Comparison, identical } from '../parity/compare.ts';
import { core, dumpNative, root, shippedModels } from '../parity/native.ts';
import { open, site } from './harness.ts';

test('WebAssembly in the browser gives what native gives with the shipped models, bit for bit', async (t) => {
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
    assert.deepEqual(comparison, identical);
  }
});
