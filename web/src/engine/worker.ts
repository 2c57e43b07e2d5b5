// The worker's side: one core, asked in the order in which the page asks.
import { type CoreEngine, startCore } from './core-engine.ts';
import type { Reply, Request } from './protocol.ts';

let core: CoreEngine | undefined;

async function answer(request: Request): Promise<Reply['outcome'] | undefined> {
  if (request.type === 'start') {
    const started = await startCore(request.wasm);
    if ('error' in started) return started;
    core = started.value;
    return { value: null };
  }
  if (!core) return { error: { kind: 'engine', message: 'The translation engine was not started; reload the page.' } };
  switch (request.type) {
    case 'open':
      return core.open(request.bytes);
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
  if (outcome && 'call' in data) postMessage({ call: data.call, outcome } satisfies Reply);
});

// Tells the page that this script loaded: a worker that is refused says so late or never.
postMessage('ready');
