/// <reference lib="webworker" />
// Keeps the page's own files for visits without a connection. The server is asked first, so that with a connection nothing is
// older than what it has; one that says nothing for a few seconds counts as none. Models are none of its business: the package
// keeps them, for other pages too.
import { isGone, looksLikeHtml, readPieces } from '../src/loading/download.ts';
import { Patience, shortPatience } from '../src/loading/patience.ts';

/** Written by the build: the files, and a digest of all of them. */
declare const pageFiles: readonly string[];
declare const pageVersion: string;

const worker = self as unknown as ServiceWorkerGlobalScope;
const { scope } = worker.registration;
// One host may have the page in several folders.
const prefix = `softalign-page ${scope} `;
const storeName = prefix + pageVersion;
const addresses = new Set(pageFiles.map((file) => new URL(file, scope).href));

worker.addEventListener('install', (event) => event.waitUntil(keep()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === 'GET' && addresses.has(origin + pathname)) event.respondWith(answer(event.request));
});

/** The page says so when its reader wants nothing kept, which must not wait until all has arrived. */
const unwanted = new AbortController();
worker.addEventListener('message', ({ data }) => {
  if (data === 'unwanted') unwanted.abort();
});

async function keep(): Promise<void> {
  const { signal } = unwanted;
  try {
    const store = await caches.open(storeName);
    await store.addAll([...addresses].map((address) => new Request(address, { cache: 'no-cache', signal })));
    signal.throwIfAborted();
  } catch (error) {
    await caches.delete(storeName);
    throw error;
  }
  await worker.skipWaiting();
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== storeName);
  await Promise.all(old.map((key) => caches.delete(key)));
  await worker.clients.claim();
}

/** A page is many files: where the server was silent when asked for one, it is not waited for again for each of the others. */
const restMilliseconds = 30_000;
let restsUntil = 0;

async function answer(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: storeName, ignoreSearch: true });
  if (!kept) return fetch(request);
  const rests = request.mode !== 'navigate' && Date.now() < restsUntil;
  return (rests ? undefined : await fromServer(request)) ?? kept;
}

/** @returns undefined where the file does not arrive whole, or something else comes in its place */
async function fromServer(request: Request): Promise<Response | undefined> {
  const patience = new Patience(shortPatience);
  try {
    const response = await fetch(request, { signal: patience.signal });
    patience.heard();
    restsUntil = 0;
    // The browser follows, and shows what it finds: a network's page for signing in, say.
    if (response.type === 'opaqueredirect') return response;
    if (!response.ok) return isGone(response.status) ? response : undefined;
    const beginning = await readPieces(response.clone(), undefined, undefined, () => patience.heard());
    return request.mode !== 'navigate' && looksLikeHtml(beginning) ? undefined : response;
  } catch {
    if (patience.lost) restsUntil = Date.now() + restMilliseconds;
    return undefined;
  } finally {
    patience.end();
  }
}
