/// <reference lib="webworker" />
// Keeps the page's own files for visits without a connection. The server is asked first, so that with a connection nothing is
// older than what it has. Models are none of its business: the package keeps them, for other pages too.

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

async function keep(): Promise<void> {
  const store = await caches.open(storeName);
  await store.addAll([...addresses].map((address) => new Request(address, { cache: 'no-cache' })));
  await worker.skipWaiting();
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== storeName);
  await Promise.all(old.map((key) => caches.delete(key)));
  await worker.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(storeName)).match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
