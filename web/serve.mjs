#!/usr/bin/env node
// Serves a folder on this machine: node web/serve.mjs [FOLDER] [PORT]. Without a port, the first free one from 8080 on.
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.safetensors': 'application/octet-stream',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const reasons = {
  EADDRINUSE: 'another program has it',
  EACCES: 'ports below 1024 are the system’s',
};

/** A request handler for the files below `root`. @param typeOf the MIME type of a path, to be overridden in tests */
export function files(root, typeOf = (path) => types[extname(path)] ?? 'application/octet-stream') {
  const folder = resolve(root);
  return async (request, response) => {
    const refuse = (status, text) =>
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(405, 'Only GET and HEAD are answered here.');
    let path;
    try {
      path = join(folder, normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname)));
    } catch {
      return refuse(400, 'This address is malformed.');
    }
    if (path.endsWith(sep)) path = join(path, 'index.html');
    const found = path.startsWith(folder + sep) ? await stat(path).catch(() => undefined) : undefined;
    if (!found?.isFile()) return refuse(404, 'There is no such file.');
    const etag = `"${found.size.toString(36)}-${found.mtimeMs.toString(36)}"`;
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
    response.writeHead(200, {
      etag,
      'content-type': typeOf(path),
      'content-length': found.size,
      'cache-control': 'no-cache',
    });
    if (request.method === 'HEAD') return response.end();
    createReadStream(path)
      .on('error', () => response.destroy())
      .pipe(response);
  };
}

/** Listens on this machine only. @returns the server, listening at `server.address().port` */
export function listen(handler, port) {
  return new Promise((settle, reject) => {
    const server = createServer(handler);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => settle(server));
  });
}

async function listenOnFreePort(handler) {
  for (let port = 8080; port < 8180; port++) {
    try {
      return await listen(handler, port);
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  return listen(handler, 0);
}

/** Shows an address in the reader's browser where there is a desktop to show it on. */
function show(url) {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (process.platform !== 'darwin' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  // Without an opener the printed address is enough.
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

function fail(status, message) {
  console.error(message);
  process.exit(status);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root = fileURLToPath(new URL('./dist', import.meta.url)), port] = process.argv.slice(2);
  if (port && !(/^\d+$/.test(port) && Number(port) < 65536))
    fail(2, `'${port}' is no port; give a number below 65536.`);
  if (!(await stat(root).catch(() => undefined))?.isDirectory())
    fail(1, `There is no folder '${root}'; npm run build makes web/dist.`);
  const server = await (port ? listen(files(root), Number(port)) : listenOnFreePort(files(root))).catch((error) =>
    fail(1, `Cannot listen on port ${error.port ?? port}: ${reasons[error.code] ?? error.message}.`),
  );
  const url = `http://127.0.0.1:${server.address().port}/`;
  console.log(url);
  if (process.stdout.isTTY) show(url);
}
