import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { NetworkError } from '../../../web/src/errors.ts';
import { download, downloadInPieces, looksLikeHtml, type Progress } from '../../../web/src/loading/download.ts';
import { sendLarge } from '../large-answer.ts';

async function serve(t: TestContext, listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/model`);
}

test('a file arrives whole, and its progress is told', async (t) => {
  const file = Buffer.alloc(300_000, 7);
  const url = await serve(t, (_, response) => response.writeHead(200, { 'content-length': file.length }).end(file));
  const progress: Progress[] = [];
  const bytes = await download(url, { what: 'model', onProgress: (step) => progress.push(step) });
  assert.deepEqual(Buffer.from(bytes), file);
  assert.deepEqual(progress.at(-1), { loaded: file.length, total: file.length });
});

test('the pieces of a file make the file, and each fills its buffer', async (t) => {
  const file = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
  const url = await serve(t, (_, response) =>
    response.writeHead(200, { 'content-length': file.length, etag: '"1"' }).end(file),
  );
  const pieces: Uint8Array[] = [];
  const arrived = await downloadInPieces(url, { what: 'model' }, (piece, total) => {
    assert.equal(total, file.length);
    assert.equal(piece.buffer.byteLength, piece.length);
    pieces.push(piece);
  });
  assert.deepEqual(Buffer.concat(pieces), file);
  assert.deepEqual(arrived, { version: '"1"', unchanged: false });
});

test('the version that is known is not read again', async (t) => {
  let sent: Promise<boolean> | undefined;
  const url = await serve(t, (_, response) => {
    sent = sendLarge(response, { etag: '"1"' });
  });
  const arrived = await downloadInPieces(url, { what: 'model', known: '"1"' }, () => assert.fail('a piece'));
  assert.deepEqual(arrived, { version: '"1"', unchanged: true });
  assert.equal(await sent, false);
});

test('the MIME type does not matter', async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('\0asm'));
  assert.equal((await download(url, { what: 'model' })).byteLength, 4);
});

test('a compressed body has no total to be wrong about', async (t) => {
  const { gzipSync } = await import('node:zlib');
  const body = gzipSync(Buffer.alloc(100_000));
  const headers = { 'content-encoding': 'gzip', 'content-length': body.length };
  const url = await serve(t, (_, response) => response.writeHead(200, headers).end(body));
  const progress: Progress[] = [];
  const bytes = await download(url, { what: 'model', onProgress: (step) => progress.push(step) });
  assert.equal(bytes.byteLength, 100_000);
  assert.ok(progress.every(({ total }) => total === undefined));
});

test('a missing file is refused with its status and address', async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(404).end('no'));
  await assert.rejects(download(url, { what: 'model' }), (error) => {
    assert.ok(error instanceof NetworkError);
    assert.match(error.message, /model is missing: the server answered 404 for http:.*Check the address/);
    return true;
  });
});

test('a web page in place of the file is recognised', async (t) => {
  const url = await serve(t, (_, response) => response.end('\n<!DOCTYPE html><title>Not found</title>'));
  await assert.rejects(download(url, { what: 'model' }), /sent a web page instead of the model/);
});

test('a model does not look like a web page', () => {
  assert.equal(looksLikeHtml(new TextEncoder().encode('\x08\0\0\0\0\0\0\0{"a":1}')), false);
});

test('a server that is gone is told as such', async (t) => {
  const url = await serve(t, (_, response) => response.destroy());
  await assert.rejects(download(url, { what: 'model' }), (error) => {
    assert.ok(error instanceof NetworkError);
    assert.match(error.message, /could not be fetched .* try again/);
    return true;
  });
});

test('a connection that breaks halfway is told, not taken for the whole', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('half', () => response.destroy());
  });
  await assert.rejects(download(url, { what: 'model' }), NetworkError);
});

test('an abort rejects with the reason that was given', async (t) => {
  const url = await serve(t, (_, response) => response.write('…'));
  const controller = new AbortController();
  const reason = new Error('enough');
  const loading = download(url, {
    what: 'model',
    signal: controller.signal,
    onProgress: () => controller.abort(reason),
  });
  await assert.rejects(loading, reason);
});
