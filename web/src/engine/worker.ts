// The worker's side: one core, which answers in the order in which the page asks.
import { type CoreEngine, startCore } from './core-engine.ts';
import type { ArrivingModel, Outcome, ReadModel } from './engine.ts';
import { buffersOf, type Calls, type FileId, type Reply, type Request } from './protocol.ts';

let core: CoreEngine;
/** Of what was begun last. */
let underWay: AbortController | undefined;
const files = new Map<FileId, ArrivingModel>();

function arriving(file: FileId): ArrivingModel {
  const model = files.get(file) ?? core.receive();
  files.set(file, model);
  return model;
}

function begun(): AbortSignal {
  underWay = new AbortController();
  return underWay.signal;
}

const calls: Calls = {
  start: async (wasm) => {
    const started = await startCore(wasm);
    if ('error' in started) return started;
    core = started.value;
    return { value: null };
  },
  append: (file, pieces, total) => {
    for (const piece of pieces) arriving(file).append(piece, total);
  },
  open: (file) => {
    const model = arriving(file);
    files.delete(file);
    return model.open();
  },
  discard: (file) => {
    files.get(file)?.discard();
    files.delete(file);
  },
  translate: (...parameters) => core.translate(...parameters, begun()),
  stop: () => underWay?.abort(),
  steps: (...parameters) => core.steps(...parameters, begun()),
  close: (model) => core.close(model),
};

addEventListener('message', async ({ data: { call, name, parameters } }: MessageEvent<Request>) => {
  const answer = calls[name] as (...parameters: unknown[]) => Promise<Outcome<Partial<ReadModel> | null>> | undefined;
  const outcome = await answer(...parameters);
  if (!outcome) return;
  const pieces = ('value' in outcome && outcome.value?.pieces) || [];
  const stopped = name !== 'start' && core.stopped;
  postMessage({ call, outcome, stopped } satisfies Reply, { transfer: buffersOf(pieces) });
});

// Tells the page that this script has loaded: a refused worker reports that late or never.
postMessage('ready');
