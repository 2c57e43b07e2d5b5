// A server of the built page whose answers a test can replace.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { files, listen } from '../../web/serve.mjs';

export const dist = process.env.SOFTALIGN_DIST ?? fileURLToPath(new URL('../../web/dist', import.meta.url));

/** What the server says instead of a file: by path, or else the built files. */
export type Answers = Record<string, RequestListener | Uint8Array | string>;

/** Where the built files are a second time, as one of several sites on a host. */
export const subFolder = '/a/sub-folder/';

export interface Site {
  readonly url: string;
  /** Paths in the order in which they were asked for. */
  readonly asked: string[];
  readonly answers: Answers;
  /** Has every question answered so from now on, and breaks off what is being answered. */
  answerAll(listener: RequestListener): void;
  /** Stops answering, as a server that is switched off does. */
  stop(): Promise<void>;
}

export async function site(t: TestContext, answers: Answers = {}, headers: Record<string, string> = {}): Promise<Site> {
  const asked: string[] = [];
  const built = files(dist);
  let toAll: RequestListener | undefined;
  const server = await listen((request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    asked.push(path);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (toAll) return toAll(request, response);
    const answer = answers[path];
    if (answer === undefined) {
      request.url = request.url?.replace(subFolder, '/');
      return built(request, response);
    }
    if (typeof answer === 'function') return answer(request, response);
    const type = typeof answer === 'string' ? 'text/html; charset=utf-8' : 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(answer);
  }, 0);
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  const answerAll = (listener: RequestListener) => {
    toAll = listener;
    server.closeAllConnections();
  };
  t.after(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answers, answerAll, stop };
}
