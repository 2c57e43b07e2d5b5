import { NetworkError } from '../errors.ts';

export interface Progress {
  /** Bytes that have arrived. */
  readonly loaded: number;
  /** Bytes in all, where the server tells. */
  readonly total: number | undefined;
}

export interface DownloadOptions {
  /** What is fetched, as the messages call it. */
  what: string;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface Downloaded {
  readonly bytes: ArrayBuffer;
  /** Differs where the server has another version of the file; undefined where it tells none. */
  readonly version: string | undefined;
}

/** A file, whatever MIME type its server gives it. Rejects with NetworkError, or the signal's reason. */
export async function download(url: URL, { what, onProgress, signal }: DownloadOptions): Promise<Downloaded> {
  let response: Response;
  try {
    response = await fetch(url, { signal: signal ?? null });
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreachable(what, url, cause);
  }
  if (!response.ok) {
    throw new NetworkError(
      `The ${what} is missing: the server answered ${response.status} for ${url}. Check the address and that the file was published.`,
    );
  }
  const total = totalOf(response);
  let bytes: ArrayBuffer;
  try {
    bytes = await readAll(response, total, onProgress);
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreachable(what, url, cause);
  }
  if (looksLikeHtml(bytes)) {
    throw new NetworkError(
      `The server sent a web page in place of the ${what} at ${url}. Check the address and that the file was published.`,
    );
  }
  return { bytes, version: versionOf(response) };
}

/** What an answer says of the version of its file. */
export function versionOf({ headers }: Response): string | undefined {
  return headers.get('etag') ?? headers.get('last-modified') ?? undefined;
}

/** Content-Length counts compressed bytes, so it says nothing about what a compressed body will unpack to. */
function totalOf(response: Response): number | undefined {
  if (response.headers.get('content-encoding')) return undefined;
  const length = Number(response.headers.get('content-length'));
  return length > 0 ? length : undefined;
}

async function readAll(
  response: Response,
  total: number | undefined,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<ArrayBuffer> {
  if (!response.body) return response.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    loaded += read.value.length;
    onProgress?.({ loaded, total });
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes.buffer;
}

/** A host's "not found" page often comes with status 200; none of our files begins like a document. */
export function looksLikeHtml(bytes: ArrayBuffer): boolean {
  const beginning = new TextDecoder().decode(bytes.slice(0, 256)).trimStart().toLowerCase();
  return /^<(!doctype|!--|html|head|body|\?xml)/.test(beginning);
}

function unreachable(what: string, url: URL, cause: unknown): NetworkError {
  const advice =
    typeof navigator === 'object' && navigator.onLine === false
      ? 'This device is offline: connect it and try again.'
      : 'Check your connection and that the server is running, then try again.';
  return new NetworkError(`The ${what} could not be fetched from ${url}. ${advice}`, { cause });
}
