// The worker's side: one core, asked in the order in which the page asks.
import { type CoreEngine, startCore } from './core-engine.ts';
import type { ArrivingModel } from './engine.ts';
import { buffersOf, type FileId, type Reply, type Request } from './protocol.ts';

let core: CoreEngine | undefined;
const files = new Map<FileId, ArrivingModel>();

function arriving(engine: CoreEngine, file: FileId): ArrivingModel {
  const model = files.get(file) ?? engine.receive();
  files.set(file, model);
  return model;
}

async function answer(request: Request): Promise<Reply['outcome'] | undefined> {
  if (request.type === 'start') {
    const started = await startCore(request.wasm);
    if ('error' in started) return started;
    core = started.value;
    return { value: null };
  }
  if (!core) return { error: { kind: 'engine', message: 'The translation engine was not started; reload the page.' } };
  switch (request.type) {
    case 'append':
      for (const piece of request.pieces) arriving(core, request.file).append(piece, request.total);
      return undefined;
    case 'open': {
      const model = arriving(core, request.file);
      files.delete(request.file);
      return model.open();
    }
    case 'discard':
      files.get(request.file)?.discard();
      files.delete(request.file);
      return undefined;
    case 'translate':
      return core.translate(request.model, request.text, request.search);
    case 'steps':
      return core.steps(request.model, request.sentence);
    case 'close':
      core.close(request.model);
      return undefined;
  }
}

addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  const outcome = await answer(data);
  if (!outcome || !('call' in data)) return;
  const transfer =
    'value' in outcome && outcome.value && 'pieces' in outcome.value ? buffersOf(outcome.value.pieces) : [];
  postMessage({ call: data.call, outcome } satisfies Reply, { transfer });
});

// Tells the page that this script loaded: a worker that is refused says so late or never.
postMessage('ready');
