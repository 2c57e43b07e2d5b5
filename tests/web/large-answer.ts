// An answer that is larger than what a connection holds: its end is reached only where somebody reads.
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

function* pieces() {
  for (let i = 0; i < 1000; i++) yield Buffer.alloc(2 ** 16);
}

/** @returns whether all of it was sent, once it was sent or left */
export function sendLarge(response: ServerResponse, headers: Record<string, string>): Promise<boolean> {
  response.writeHead(200, headers);
  return new Promise((resolve) => pipeline(Readable.from(pieces()), response, (error) => resolve(!error)));
}
