// The browser's store of models, shared by all pages of an origin and limited in size: the most recently used ones stay.

const filesName = 'softalign-models';
/** When each model was last used, by the same addresses, so that using a model does not write it again. */
const usesName = 'softalign-models-used';

/** Bytes that all models together may take; the newest one stays in any case. */
export const mostBytes = 256 * 2 ** 20;

/** Rejects if this browser keeps nothing for this page: in a sandboxed frame, some private windows, or over plain http. */
export async function find(url: URL): Promise<Response | undefined> {
  // Not through an opened store, which would be made first: a first visit need not wait for that.
  return globalThis.caches.match(url, { cacheName: filesName });
}

/** Stores a model, and removes the least recently used ones if there are too many. Rejects if there is no room. */
export async function put(url: URL, pieces: Uint8Array<ArrayBuffer>[], headers: Record<string, string>): Promise<void> {
  await (await caches.open(filesName)).put(url, new Response(new Blob(pieces), { headers }));
  await markUsed(url);
  await makeRoom();
}

export async function markUsed(url: URL): Promise<void> {
  await (await caches.open(usesName)).put(url, new Response(String(Date.now())));
}

export async function remove(url: URL | string): Promise<void> {
  for (const name of [filesName, usesName]) await (await caches.open(name)).delete(url);
}

/** Removes the models of a folder and its sub-folders, and the store if nothing else is in it. */
export async function removeBelow(folder: URL): Promise<void> {
  for (const name of [filesName, usesName]) {
    const store = await caches.open(name);
    const all = await store.keys();
    const below = all.filter(({ url }) => url.startsWith(folder.href));
    await Promise.all(below.map((request) => store.delete(request)));
    if (below.length === all.length) await caches.delete(name);
  }
}

async function makeRoom(): Promise<void> {
  const [files, uses] = await Promise.all([caches.open(filesName), caches.open(usesName)]);
  const found = await Promise.all(
    (await files.keys()).map(async ({ url }) => ({
      url,
      bytes: (await (await files.match(url))?.blob())?.size ?? 0,
      used: Number(await (await uses.match(url))?.text()) || 0,
    })),
  );
  const [newest, ...older] = found.sort((one, other) => other.used - one.used);
  let bytes = newest?.bytes ?? 0;
  for (const file of older) {
    bytes += file.bytes;
    if (bytes > mostBytes) await remove(file.url);
  }
}
