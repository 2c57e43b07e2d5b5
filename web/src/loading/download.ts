import { NetworkError } from '../errors.ts';
import { longPatience, Patience } from './patience.ts';

export interface Progress {
  /** Bytes that have arrived. */
  readonly loaded: number;
  /** Bytes in all, if the server reports them. */
  readonly total: number | undefined;
}

export interface DownloadOptions {
  /** What is fetched, as the messages call it. */
  what: string;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  /** What the browser's own cache may do. */
  cache?: RequestCache;
  /** How long the server may be silent, in milliseconds. */
  patience?: number;
  /** A version of the file that need not be sent again. */
  known?: string | undefined;
}

/** How a download ended. */
export interface Arrived {
  /** It differs if the server has another file; undefined if the server reports none. */
  readonly version: string | undefined;
  /** No piece was passed on, because the server has the known version. */
  readonly unchanged: boolean;
}

/** Takes the next bytes of a file, which fill their buffer. @param total bytes in all, if the server reports them */
export type OnPiece = (piece: Uint8Array<ArrayBuffer>, total: number | undefined) => void;

/** A whole file. Rejects as `downloadInPieces` does. */
export async function download(url: URL, options: DownloadOptions): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  await downloadInPieces(url, options, (piece) => pieces.push(piece));
  const bytes = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes.buffer;
}

/**
 * A file, whatever MIME type its server gives it. Only after the last piece is it certain that it is not a web page.
 * Rejects with NetworkError, or the signal's reason.
 */
export async function downloadInPieces(
  url: URL,
  { what, onProgress, signal, cache = 'default', patience: milliseconds = longPatience, known }: DownloadOptions,
  onPiece: OnPiece,
): Promise<Arrived> {
  const patience = new Patience(milliseconds, signal);
  try {
    const response = await fetch(url, { signal: patience.signal, cache });
    patience.heard();
    if (!response.ok) throw refused(what, url, response.status);
    const version = versionOf(response);
    if (known !== undefined && version === known) {
      patience.leave();
      return { version, unchanged: true };
    }
    const onHeard: OnPiece = (piece, total) => {
      patience.heard();
      onPiece(piece, total);
    };
    const beginning = await readPieces(response, totalOf(response), onProgress, onHeard);
    if (looksLikeHtml(beginning)) throw inPlaceOf(what, url);
    return { version, unchanged: false };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof NetworkError) throw cause;
    throw patience.lost ? silent(what, url, cause) : unreachable(what, url, cause);
  } finally {
    patience.end();
  }
}

/** Whether a status says that there is no such file; others only say that it is unavailable for the moment. */
export function isGone(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

/** The version of a file according to an answer. */
export function versionOf({ headers }: Response): string | undefined {
  return headers.get('etag') ?? headers.get('last-modified') ?? undefined;
}

/** Content-Length counts compressed bytes, so it says nothing about what a compressed body will unpack to. */
function totalOf(response: Response): number | undefined {
  if (response.headers.get('content-encoding')) return undefined;
  const length = Number(response.headers.get('content-length'));
  return length > 0 ? length : undefined;
}

const beginningBytes = 256;

/** @returns the first bytes */
export async function readPieces(
  { body, type }: Response,
  total: number | undefined,
  onProgress: ((progress: Progress) => void) | undefined,
  onPiece: OnPiece,
): Promise<Uint8Array> {
  const beginning: number[] = [];
  let loaded = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const piece = read.value;
    if (beginning.length < beginningBytes) beginning.push(...piece.subarray(0, beginningBytes - beginning.length));
    loaded += piece.length;
    onPiece(piece.length === piece.buffer.byteLength ? piece : piece.slice(), total);
    onProgress?.({ loaded, total });
    // The end itself is told late: after a browser has put away its own copy. Another origin's total may be that of a body which
    // it does not tell to be compressed.
    if (loaded === total && type === 'basic') break;
  }
  return Uint8Array.from(beginning);
}

/** A host's "not found" page often comes with status 200; none of our files begins like a document. */
export function looksLikeHtml(beginning: Uint8Array): boolean {
  return /^<(!doctype|!--|html|head|body|\?xml)/.test(new TextDecoder().decode(beginning).trimStart().toLowerCase());
}

function refused(what: string, url: URL, status: number): NetworkError {
  return new NetworkError(
    `The ${what} is missing: the server answered ${status} for ${url}. Check the address and that the file was published.`,
    { status },
  );
}

function inPlaceOf(what: string, url: URL): NetworkError {
  return new NetworkError(
    `The server sent a web page instead of the ${what} at ${url}. Check the address and that the file was published.`,
  );
}

function silent(what: string, url: URL, cause: unknown): NetworkError {
  return new NetworkError(
    `The ${what} does not arrive: the server does not respond for ${url}. Check your connection, then try again.`,
    { cause },
  );
}

function unreachable(what: string, url: URL, cause: unknown): NetworkError {
  const advice =
    typeof navigator === 'object' && navigator.onLine === false
      ? 'This device is offline: connect it and try again.'
      : 'Check your connection and that the server is running, then try again.';
  return new NetworkError(`The ${what} could not be fetched from ${url}. ${advice}`, { cause });
}
