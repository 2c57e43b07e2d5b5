// Models kept on this device: another visit need not fetch them, and works without a connection.
import { type DownloadOptions, download, versionOf } from './download.ts';

const storeName = 'softalign-models';
const versionHeader = 'softalign-version';

/** Undefined where this browser, or this page's place in it, keeps nothing: a sandboxed frame, some private windows, plain http. */
async function openStore(): Promise<Cache | undefined> {
  try {
    return await globalThis.caches?.open(storeName);
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a file: those that an earlier visit kept where the server still has that version or cannot be reached, and else
 * from the server, to be kept where that is possible. Rejects as `download` does.
 */
export async function downloadAndKeep(url: URL, options: DownloadOptions): Promise<ArrayBuffer> {
  const store = await openStore();
  const kept = await store?.match(url);
  if (kept && (await isCurrent(kept, url, options.signal))) {
    const bytes = await kept.arrayBuffer();
    options.onProgress?.({ loaded: bytes.byteLength, total: bytes.byteLength });
    return bytes;
  }
  const { bytes, version } = await download(url, options);
  const headers = version === undefined ? {} : { [versionHeader]: version };
  // Where there is no room, the model is used all the same.
  await store?.put(url, new Response(bytes, { headers })).catch(() => undefined);
  return bytes;
}

/** A server that tells no versions is never believed to have the same one. */
async function isCurrent(kept: Response, url: URL, signal: AbortSignal | undefined): Promise<boolean> {
  let answer: Response;
  try {
    answer = await fetch(url, { method: 'HEAD', cache: 'no-cache', signal: signal ?? null });
  } catch {
    signal?.throwIfAborted();
    return true;
  }
  const version = kept.headers.get(versionHeader);
  return answer.ok && version !== null && versionOf(answer) === version;
}

/** Whether the file at an address is kept. */
export async function isKept(url: URL): Promise<boolean> {
  return (await (await openStore())?.match(url)) !== undefined;
}

/** Removes every kept file. */
export async function forgetKept(): Promise<void> {
  await globalThis.caches?.delete(storeName);
}
