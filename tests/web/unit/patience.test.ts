import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { NetworkError } from '../../../web/src/errors.ts';
import { download } from '../../../web/src/loading/download.ts';
import { Patience, patiently } from '../../../web/src/loading/patience.ts';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function serve(t: TestContext, listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/model`);
}

const aborted = ({ signal }: Patience) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

test('patience with a silence has an end', async () => {
  const patience = new Patience(20);
  assert.equal(((await aborted(patience)) as DOMException).name, 'TimeoutError');
  assert.equal(patience.lost, true);
});

test('a thread that is busy does not lose patience for what it could not hear', async () => {
  const patience = new Patience(100);
  const begin = performance.now();
  while (performance.now() - begin < 300);
  await pause(0);
  assert.equal(patience.signal.aborted, false);
  patience.end();
});

test('patience that has ended is not lost any more', async () => {
  const patience = new Patience(4);
  patience.end();
  await pause(40);
  assert.equal(patience.signal.aborted, false);
});

test('who wants to wait no longer ends the wait with a reason, before it has begun, too', () => {
  const outer = new AbortController();
  const patience = new Patience(1000, outer.signal);
  outer.abort('enough');
  assert.equal(patience.signal.reason, 'enough');
  assert.equal(patience.lost, false);
  assert.equal(new Patience(1000, outer.signal).signal.reason, 'enough');
});

test('what never comes is left', async () => {
  await assert.rejects(
    patiently(new Promise(() => undefined), 20, () => new Error('never')),
    /never/,
  );
  assert.equal(await patiently(Promise.resolve(1), 20, () => new Error('never')), 1);
});

for (const [what, listener] of Object.entries<RequestListener>({
  'accepts and never answers': () => undefined,
  'stops in the middle of a file': (_, response) => response.writeHead(200, { 'content-length': 9 }).write('half'),
})) {
  test(`a server that ${what} is told`, async (t) => {
    const url = await serve(t, listener);
    await assert.rejects(download(url, { what: 'model', patience: 100 }), (error) => {
      assert.ok(error instanceof NetworkError);
      assert.match(error.message, /model does not arrive: the server does not respond for http.* try again/);
      return true;
    });
  });
}

test('a file that takes longer than the patience arrives as long as something comes', async (t) => {
  const url = await serve(t, async (_, response) => {
    for (let i = 0; i < 8; i++) {
      response.write('a');
      await pause(100);
    }
    response.end();
  });
  assert.equal((await download(url, { what: 'model', patience: 600 })).byteLength, 8);
});
