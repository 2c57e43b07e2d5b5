import { EngineError, errorFrom, NetworkError, SoftAlignError } from '../errors.ts';
import { download } from '../loading/download.ts';
import { longPatience, patiently } from '../loading/patience.ts';
import { requireSupport } from '../loading/support.ts';
import type { Engine } from './engine.ts';
import { PatientEngine } from './patient-engine.ts';
import { openWorker, WorkerEngine } from './worker-engine.ts';

let engine: Promise<Engine> | undefined;
let brought: Uint8Array<ArrayBuffer> | undefined;

/** For a bundle of one file, beside which there is nothing: starts the engine from these bytes, in the page's own thread. */
export function bringAlong(wasm: Uint8Array<ArrayBuffer>): void {
  brought = wasm;
}

/** The one engine of this page, started when it is first needed, and when the last one broke down. A start that failed is tried again by the next call. */
export async function sharedEngine(): Promise<Engine> {
  const found = engine;
  if ((await found)?.stopped && engine === found) engine = undefined;
  engine ??= start().catch((error) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

async function start(): Promise<Engine> {
  await requireSupport();
  return brought ? startHere(brought.slice().buffer) : startFromFiles();
}

async function startFromFiles(): Promise<Engine> {
  const [wasm, worker] = await Promise.all([
    download(new URL('./softalign-core.wasm', import.meta.url), { what: 'translation engine' }),
    openWorker(new URL('./worker.js', import.meta.url)).catch(() => undefined),
  ]);
  try {
    return worker ? await startInWorker(worker, wasm) : await startHere(wasm);
  } catch (error) {
    worker?.terminate();
    throw error instanceof SoftAlignError
      ? error
      : new EngineError('The translation engine did not start; reload the page.', { cause: error });
  }
}

async function startInWorker(worker: Worker, wasm: ArrayBuffer): Promise<Engine> {
  const workerEngine = new WorkerEngine(worker);
  const started = await workerEngine.start(wasm);
  if ('error' in started) throw errorFrom(started.error);
  return workerEngine;
}

async function startHere(wasm: ArrayBuffer): Promise<Engine> {
  const { startCore } = await patiently(import('./core-engine.ts'), longPatience, silent);
  const started = await startCore(wasm);
  if ('error' in started) throw errorFrom(started.error);
  return new PatientEngine(started.value);
}

function silent(): NetworkError {
  return new NetworkError('The translation engine does not arrive. Check your connection, then try again.');
}
