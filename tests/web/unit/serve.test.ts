import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { files, listen } from '../../../web/serve.mjs';

const script = fileURLToPath(new URL('../../../web/serve.mjs', import.meta.url));
const folder = fileURLToPath(new URL('../../../web/page', import.meta.url));

/** Runs the server until it ends by itself. */
function serve(...parameters: string[]): Promise<{ status: unknown; said: string }> {
  return new Promise((settle) => {
    execFile(process.execPath, [script, ...parameters], (error, _, said) => settle({ status: error?.code ?? 0, said }));
  });
}

test('a port that another program has is named in one line', async (t) => {
  const other = await listen(files(folder), 0);
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  assert.deepEqual(await serve(folder, String(port)), {
    status: 1,
    said: `Cannot listen on port ${port}: another program has it.\n`,
  });
});

test('what is no port is wrong usage', async () => {
  for (const port of ['abc', '65536', '-1', '80.5'])
    assert.deepEqual(await serve(folder, port), {
      status: 2,
      said: `'${port}' is no port; give a number below 65536.\n`,
    });
});

test('a folder that is not there is said before anything is served', async () => {
  const { status, said } = await serve('/no/such/folder');
  assert.equal(status, 1);
  assert.match(said, /^There is no folder '\/no\/such\/folder'; npm run build/);
});

test('nothing outside the folder is served', async (t) => {
  const server = await listen(files(folder), 0);
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.equal((await fetch(`${address}/`)).status, 200);
  for (const path of ['/..%2fserve.mjs', '/%2e%2e/serve.mjs', '/..%2f..%2fpackage.json', '/%00', '/%'])
    assert.ok((await fetch(address + path)).status >= 400, path);
});

test('a file that did not change is not sent again', async (t) => {
  const server = await listen(files(folder), 0);
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/icon.svg`;
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  const again = (version: string) => fetch(url, { headers: { 'if-none-match': version, connection: 'close' } });
  assert.equal((await again(etag)).status, 304);
  assert.equal((await again('"another"')).status, 200);
});
