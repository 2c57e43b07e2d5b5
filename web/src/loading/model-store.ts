// The browser's store of models, which all pages of an origin share: bounded, the ones that were used last stay.

const filesName = 'softalign-models';
/** By the same addresses, when a model was last used, so that a use need not write the model again. */
const usesName = 'softalign-models-used';

/** What all models together may take; the newest one stays in any case. */
export const mostBytes = 256 * 2 ** 20;

/** Rejects where this browser, or this page's place in it, keeps nothing: a sandboxed frame, some private windows, plain http. */
export async function find(url: URL): Promise<Response | undefined> {
  // Not through an opened store, which would be made first: a first visit need not wait for that.
  return globalThis.caches.match(url, { cacheName: filesName });
}

/** Stores a model, and removes those that were used least recently where there are too many. Rejects where there is no room. */
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

/** Removes the models of a folder and its sub-folders, and the store where nothing else is in it. */
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
