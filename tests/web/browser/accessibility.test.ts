import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { run } from 'axe-core';
import { errorOf, open, settled, site } from './harness.ts';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  // What axe-core leaves in the page.
  var axe: { run: typeof run };
}

async function violations(page: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  await page.evaluate(source);
  return page.evaluate(async () => {
    const results = await globalThis.axe.run();
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('; ')}`);
  });
}

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';

  test(`axe finds nothing to complain about: ${theme}`, async (t) => {
    const page = await open(t, await site(t), { dark });
    await settled(page);
    assert.deepEqual(await violations(page), []);
  });

  test(`axe finds nothing to complain about while stepping through a sentence with an imposed word, with the search’s tree: ${theme}`, async (t) => {
    const page = await open(t, await site(t), { dark, path: '/#steps=true&tree=true' });
    await settled(page);
    await page.$eval('soft-align', (element) => element.chooseWord(2, 'est'));
    await page.waitForSelector('soft-align >>> [part=notice]');
    await page.waitForSelector('soft-align >>> soft-align-tree >>> text');
    await page.$eval('soft-align >>> soft-align-tree >>> details', (details) => details.setAttribute('open', ''));
    assert.deepEqual(await violations(page), []);
  });

  test(`axe finds nothing to complain about in the page for frames: ${theme}`, async (t) => {
    const page = await open(t, await site(t), { dark, path: '/embed.html#editable=true' });
    await settled(page);
    assert.deepEqual(await violations(page), []);
  });

  test(`axe finds nothing to complain about when something went wrong: ${theme}`, async (t) => {
    const web = await site(t, { '/models/en-fr.safetensors': (_, response) => response.writeHead(404).end() });
    const page = await open(t, web, { dark });
    await errorOf(page);
    assert.deepEqual(await violations(page), []);
  });
}
