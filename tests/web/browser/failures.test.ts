import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dist, errorOf, open, settled, site } from './harness.ts';

const model = '/models/en-fr.safetensors';

test('a missing model is told with its address, and trying again finds it', async (t) => {
  const web = await site(t, { [model]: (_, response) => response.writeHead(404).end() });
  const page = await open(t, web);
  assert.match(await errorOf(page), /The model is missing: the server answered 404 for http:.*en-fr\.safetensors/);
  delete web.answers[model];
  const retry = await page.waitForSelector('soft-align >>> [role=alert] button');
  await retry?.click();
  await settled(page);
  await page.waitForSelector('soft-align >>> [role=alert]', { hidden: true });
});

test('a web page in place of the model is recognised', async (t) => {
  const page = await open(t, await site(t, { [model]: '<!doctype html><title>Not found</title>' }));
  assert.match(await errorOf(page), /sent a web page instead of the model/);
});

test('a file that is no model at all is refused', async (t) => {
  const page = await open(t, await site(t, { [model]: Buffer.from('this is a letter, not a model') }));
  assert.match(await errorOf(page), /not a safetensors file/);
});

test('files served as plain text work all the same', async (t) => {
  const serveAs = async (path: string) => {
    const bytes = await readFile(join(dist, path));
    return [
      path,
      (_: unknown, response: import('node:http').ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes);
      },
    ] as const;
  };
  const web = await site(t, Object.fromEntries([await serveAs(model), await serveAs('/softalign-core.wasm')]));
  const page = await open(t, web);
  await settled(page);
  assert.equal(await page.$('soft-align >>> [role=alert]'), null);
});

test('scripts that the browser refuses for their type are told by the page itself', async (t) => {
  const script = await readFile(join(dist, 'page.js'));
  const page = await open(
    t,
    await site(t, {
      '/page.js': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(script),
    }),
  );
  const late = await page.waitForSelector('soft-align .late', { visible: true });
  assert.match((await late?.evaluate((paragraph) => paragraph.textContent)) ?? '', /put the folder on a web server/);
});

test('a browser without SIMD is told to be updated', async (t) => {
  const page = await open(t, await site(t), { before: 'WebAssembly.validate = () => false;' });
  assert.match(await errorOf(page), /WebAssembly is too old .* update it/);
});

test('a browser without WebAssembly is told what to use', async (t) => {
  const page = await open(t, await site(t), { before: 'delete globalThis.WebAssembly;' });
  assert.match(await errorOf(page), /does not run WebAssembly .* use a current/);
});

test('a missing engine is told', async (t) => {
  const page = await open(t, await site(t, { '/softalign-core.wasm': (_, response) => response.writeHead(404).end() }));
  assert.match(await errorOf(page), /translation engine is missing: the server answered 404/);
});

test('a damaged engine is told', async (t) => {
  const page = await open(t, await site(t, { '/softalign-core.wasm': Buffer.from('\0asm nonsense') }));
  assert.match(await errorOf(page), /engine did not start/);
});

test('a server that went offline is told', async (t) => {
  const web = await site(t, { [model]: (request) => request.socket.destroy() });
  const page = await open(t, web);
  assert.match(await errorOf(page), /could not be fetched .* try again/);
});

test('a device that is offline is told as such', async (t) => {
  const web = await site(t, { [model]: (_, response) => response.writeHead(503).end() });
  const page = await open(t, web);
  await errorOf(page);
  await page.setOfflineMode(true);
  const retry = await page.waitForSelector('soft-align >>> [role=alert] button');
  await retry?.click();
  await page.waitForFunction(() => /offline/.test(document.querySelector('soft-align')?.shadowRoot?.textContent ?? ''));
});

/** Makes waits shorter, so that tests are quick. */
const hasty = 'const beat = setInterval; setInterval = (work, milliseconds) => beat(work, milliseconds / 20);';
const silence = () => undefined;

test('a model that never arrives is told, and trying again finds it', async (t) => {
  const web = await site(t, { [model]: silence });
  const page = await open(t, web, { before: hasty });
  assert.match(await errorOf(page), /The model does not arrive: the server does not respond/);
  delete web.answers[model];
  const retry = await page.$('soft-align >>> [role=alert] button');
  await retry?.click();
  await settled(page);
});

test('an engine that never arrives is told, and trying again finds it', async (t) => {
  const web = await site(t, { '/softalign-core.wasm': silence });
  const page = await open(t, web, { before: hasty });
  assert.match(await errorOf(page), /translation engine does not arrive/);
  delete web.answers['/softalign-core.wasm'];
  const retry = await page.$('soft-align >>> [role=alert] button');
  await retry?.click();
  await settled(page);
});

test('where the script of the worker never arrives, the page’s own thread does its work', async (t) => {
  const page = await open(t, await site(t, { '/worker.js': silence }), { before: hasty });
  await settled(page);
});
