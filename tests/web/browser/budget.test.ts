// How much a reader waits for: what the page asks for, Brotli-compressed as hosts send it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { dist, open, settled, site } from './harness.ts';

const budgets = [
  { of: 'scripts and styles', endings: ['.js', '.css'], first: '/page.js', most: 100_000 },
  { of: 'WebAssembly', endings: ['.wasm'], first: '/softalign-core.wasm', most: 150_000 },
];

for (const { of, endings, first, most } of budgets) {
  test(`a reader waits for at most ${most / 1000} kB of ${of}`, async (t) => {
    const web = await site(t);
    // What is kept for the next visit is fetched when the reader waits no more.
    await settled(await open(t, web, { before: 'delete Navigator.prototype.serviceWorker;' }));
    const paths = [...new Set(web.asked)].filter((path) => endings.includes(extname(path)));
    assert.ok(paths.includes(first), String(paths));
    const files = await Promise.all(paths.map((path) => readFile(join(dist, path))));
    const sizes = files.map((bytes) => brotliCompressSync(bytes).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    t.diagnostic(`${total} bytes: ${paths.map((path, index) => `${path} ${sizes[index]}`).join(', ')}`);
    assert.ok(total <= most, `${total} bytes are over the budget of ${most}`);
  });
}
