// Models kept on this device, so that another visit need not fetch them and works without a connection.
import { NetworkError } from '../errors.ts';
import { type DownloadOptions, downloadInPieces, isGone, type OnPiece, versionOf } from './download.ts';
import { find, markUsed, put, remove, removeBelow } from './model-store.ts';
import { Patience, shortPatience } from './patience.ts';

const versionHeader = 'softalign-version';

/** Writes in progress, by address. */
const writing = new Map<string, Promise<void>>();

/** Nothing more is kept below these folders. */
const forgotten = new Set<string>();

/** The receiver of a file's pieces. */
export interface Receiver {
  append: OnPiece;
  /** What has arrived is not the file, which starts again. */
  restart(): void;
}

/** What to do with a file after it was used, for another visit. */
export interface Keeping {
  /** It was good. @param pieces the file, given back */
  keep(pieces: Uint8Array<ArrayBuffer>[]): void;
  /** It was damaged: another attempt asks the server. */
  forget(): Promise<void>;
}

const nothingToDo: Keeping = { keep: () => undefined, forget: async () => undefined };

/**
 * The pieces of a file: from the server if it has another version than the one that an earlier visit kept; else the kept one,
 * even if the server cannot be reached or sends something else. Rejects as `downloadInPieces` does.
 */
export async function downloadOrKept(url: URL, options: DownloadOptions, receiver: Receiver): Promise<Keeping> {
  let kept: Response | undefined;
  try {
    kept = await find(url);
  } catch {
    await downloadInPieces(url, options, receiver.append);
    return nothingToDo;
  }
  // One copy on this device is enough: writing another takes a quarter of the download's time where the network is fast.
  const anew: DownloadOptions = { ...options, cache: 'no-store' };
  const [bytes, current] = kept ? await Promise.all([bytesOf(kept), isCurrent(kept, url, options.signal)]) : [];
  if (!kept || !bytes) {
    const { version } = await downloadInPieces(url, anew, receiver.append);
    return keepingNew(url, version);
  }
  if (!current) {
    const newer = await downloadNewer(url, { ...anew, patience: shortPatience, known: versionKept(kept) }, receiver);
    if (newer) return newer;
  }
  options.onProgress?.({ loaded: bytes.length, total: bytes.length });
  receiver.append(bytes, bytes.length);
  return { keep: () => write(url, markUsed), forget: () => quietly(remove(url)) };
}

/** @returns undefined if the kept file can serve */
async function downloadNewer(url: URL, options: DownloadOptions, receiver: Receiver): Promise<Keeping | undefined> {
  try {
    const { version, unchanged } = await downloadInPieces(url, options, receiver.append);
    return unchanged ? undefined : keepingNew(url, version);
  } catch (error) {
    if (!(error instanceof NetworkError) || isGone(error.status)) throw error;
    receiver.restart();
    return undefined;
  }
}

function keepingNew(url: URL, version: string | undefined): Keeping {
  const headers: Record<string, string> = version === undefined ? {} : { [versionHeader]: version };
  const store = async (pieces: Uint8Array<ArrayBuffer>[]) => {
    await new Promise((resolve) => setTimeout(resolve, storeAfterMilliseconds));
    if (!isForgotten(url)) await put(url, pieces, headers);
  };
  return { ...nothingToDo, keep: (pieces) => write(url, () => store(pieces)) };
}

/** Storing takes a processor for a while, which the first sentence needs more. */
const storeAfterMilliseconds = 1000;

function write(url: URL, work: (url: URL) => Promise<void>): void {
  if (!isForgotten(url)) writing.set(url.href, quietly(work(url)));
}

/** If it is refused or there is no room, the model is used anyway, and what is damaged is still so at another attempt. */
function quietly(work: Promise<void>): Promise<void> {
  return work.catch(() => undefined);
}

/** Undefined if they cannot be read: the browser may remove what a page keeps at any time. */
async function bytesOf(kept: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await kept.arrayBuffer());
  } catch {
    return undefined;
  }
}

function versionKept({ headers }: Response): string | undefined {
  return headers.get(versionHeader) ?? undefined;
}

/**
 * Whether the server has this version, as far as can be known without the file. A server that is out of order changes nothing;
 * one that reports no version, or does not answer such a question, is never assumed to have the same.
 */
async function isCurrent(kept: Response, url: URL, signal: AbortSignal | undefined): Promise<boolean> {
  const patience = new Patience(shortPatience, signal);
  try {
    const answer = await fetch(url, { method: 'HEAD', cache: 'no-cache', signal: patience.signal });
    const version = versionKept(kept);
    return answer.status >= 500 || (answer.ok && version !== undefined && versionOf(answer) === version);
  } catch {
    signal?.throwIfAborted();
    return true;
  } finally {
    patience.end();
  }
}

/** Whether the file at an address is kept, once it is known. */
export async function isKept(url: URL): Promise<boolean> {
  await writing.get(url.href);
  try {
    return (await find(url)) !== undefined;
  } catch {
    return false;
  }
}

/** Removes every kept file of a folder and its sub-folders, including those being stored, and keeps no more of them. */
export async function forgetKept(folder: URL): Promise<void> {
  forgotten.add(folder.href);
  await Promise.all(writing.values());
  await quietly(removeBelow(folder));
}

function isForgotten({ href }: URL): boolean {
  return [...forgotten].some((folder) => href.startsWith(folder));
}
