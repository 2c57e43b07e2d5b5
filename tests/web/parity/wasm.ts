// The WebAssembly build in Node.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Core, default as CreateCore } from 'softalign-core';
import { core } from './native.ts';

export async function startCore(): Promise<Core> {
  const create: typeof CreateCore = (await import(pathToFileURL(`${core}.js`).href)).default;
  return create({ wasmBinary: new Uint8Array(await readFile(`${core}.wasm`)).buffer });
}
