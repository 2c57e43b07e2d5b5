/// <reference lib="webworker" />
// Keeps the page's own files for visits without a connection. The server is asked first, so that with a connection nothing is
// out of date; a server that is silent for a few seconds counts as unreachable. Models are left to the package, which keeps
// them for other pages too.
import { isGone, looksLikeHtml, readPieces } from '../src/loading/download.ts';
import { Patience, shortPatience } from '../src/loading/patience.ts';

/** Written by the build: the files, and a digest of all of them. */
declare const pageFiles: readonly string[];
declare const pageVersion: string;

const worker = self as unknown as ServiceWorkerGlobalScope;
const { scope } = worker.registration;
// A host may have the page in several folders.
const prefix = `softalign-page ${scope} `;
const storeName = prefix + pageVersion;
const addresses = new Set(pageFiles.map((file) => new URL(file, scope).href));

worker.addEventListener('install', (event) => event.waitUntil(keep()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === 'GET' && addresses.has(origin + pathname)) event.respondWith(answer(event.request));
});

/** The page sends this when its reader wants nothing kept, which must not wait until everything has arrived. */
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

/** A page is many files: if the server was silent for one, the others do not wait for it again. */
const restMilliseconds = 30_000;
let restsUntil = 0;

async function answer(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: storeName, ignoreSearch: true });
  if (!kept) return fetch(request);
  const rests = request.mode !== 'navigate' && Date.now() < restsUntil;
  return (rests ? undefined : await fromServer(request)) ?? kept;
}

/** @returns undefined if the file does not arrive whole, or something else arrives in its place */
async function fromServer(request: Request): Promise<Response | undefined> {
  const patience = new Patience(shortPatience);
  try {
    const response = await fetch(request, { signal: patience.signal });
    patience.heard();
    restsUntil = 0;
    // The browser follows and shows what it finds, such as a network's sign-in page.
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
