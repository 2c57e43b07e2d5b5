// Models kept on this device: another visit need not fetch them, and works without a connection.
import { type DownloadOptions, downloadInPieces, type OnPiece, versionOf } from './download.ts';

const storeName = 'softalign-models';
const versionHeader = 'softalign-version';

/** By address, the files that are being stored. */
const storing = new Map<string, Promise<void>>();

/** What an earlier visit kept. Rejects where this browser, or this page's place in it, keeps nothing: a sandboxed frame, some private windows, plain http. */
async function keptAt(url: URL): Promise<Response | undefined> {
  // Not through an opened store, which would be made first: a first visit need not wait for that.
  return globalThis.caches.match(url, { cacheName: storeName });
}

/** What is to be done with a file after it was used, for another visit. */
export interface Keeping {
  /** It was good. @param pieces the file, given back */
  keep(pieces: Uint8Array<ArrayBuffer>[]): void;
  /** It was damaged: another attempt asks the server. */
  forget(): Promise<void>;
}

const nothingToDo: Keeping = { keep: () => undefined, forget: async () => undefined };

/**
 * The pieces of a file: of the one that an earlier visit kept where the server still has that version or cannot be reached, and
 * else from the server. Rejects as `downloadInPieces` does.
 */
export async function downloadOrKept(url: URL, options: DownloadOptions, onPiece: OnPiece): Promise<Keeping> {
  let kept: Response | undefined;
  try {
    kept = await keptAt(url);
  } catch {
    await downloadInPieces(url, options, onPiece);
    return nothingToDo;
  }
  const bytes = kept && (await isCurrent(kept, url, options.signal)) ? await bytesOf(kept) : undefined;
  if (bytes) {
    options.onProgress?.({ loaded: bytes.length, total: bytes.length });
    onPiece(bytes, bytes.length);
    return { ...nothingToDo, forget: () => forget(url) };
  }
  // One copy on this device is enough: writing another takes a quarter of the download's time where the network is fast.
  const version = await downloadInPieces(url, { ...options, cache: 'no-store' }, onPiece);
  return { ...nothingToDo, keep: (pieces) => storing.set(url.href, store(url, pieces, version)) };
}

/** Undefined where they cannot be read: what a page keeps is the browser's to remove, at any time. */
async function bytesOf(kept: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await kept.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Storing takes a processor for a while, which the first sentence needs more. */
const storeAfterMilliseconds = 1000;

async function store(url: URL, pieces: Uint8Array<ArrayBuffer>[], version: string | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, storeAfterMilliseconds));
  const headers = version === undefined ? {} : { [versionHeader]: version };
  try {
    await (await caches.open(storeName)).put(url, new Response(new Blob(pieces), { headers }));
  } catch {
    // Refused, or there is no room: the model is used all the same.
  }
}

async function forget(url: URL): Promise<void> {
  try {
    await (await caches.open(storeName)).delete(url);
  } catch {
    // It stays, and is as damaged at another attempt.
  }
}

/** How long a server may take to tell its version before it counts as one that cannot be reached. */
const patienceMilliseconds = 3000;

/** A server that tells no versions is never believed to have the same one; one that is out of order changes nothing. */
async function isCurrent(kept: Response, url: URL, signal: AbortSignal | undefined): Promise<boolean> {
  let answer: Response | undefined;
  try {
    answer = await Promise.race([
      fetch(url, { method: 'HEAD', cache: 'no-cache', signal: signal ?? null }),
      new Promise<undefined>((resolve) => setTimeout(resolve, patienceMilliseconds)),
    ]);
  } catch {
    signal?.throwIfAborted();
  }
  if (!answer || answer.status >= 500) return true;
  const version = kept.headers.get(versionHeader);
  return answer.ok && version !== null && versionOf(answer) === version;
}

/** Whether the file at an address is kept, once it is known. */
export async function isKept(url: URL): Promise<boolean> {
  await storing.get(url.href);
  try {
    return (await keptAt(url)) !== undefined;
  } catch {
    return false;
  }
}

/** Removes every kept file, those that are just being stored too. */
export async function forgetKept(): Promise<void> {
  await Promise.all(storing.values());
  await globalThis.caches?.delete(storeName);
}
