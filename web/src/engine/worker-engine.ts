import { longPatience, patiently } from '../loading/patience.ts';
import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import type { ArrivingModel, Engine, ModelId, Outcome, Piece, Sentence } from './engine.ts';
import { buffersOf, type FileId, type Replies, type Reply, type Request } from './protocol.ts';

/** Starts the worker. Rejects where workers are refused, as by a sandboxed frame or a strict policy, and where its script does not arrive. */
export async function openWorker(url: URL): Promise<Worker> {
  const worker = new Worker(url, { type: 'module', name: 'softalign' });
  const refused = () => new Error(`the worker ${url} did not start`);
  const started = new Promise((resolve, reject) => {
    worker.addEventListener('message', resolve, { once: true });
    worker.addEventListener('error', () => reject(refused()), { once: true });
  });
  try {
    await patiently(started, longPatience, refused);
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** Networks deliver hundreds of small pieces, and each message costs both sides a turn. */
const messageBytes = 1 << 20;

/** The page's side of the engine in the worker. */
export class WorkerEngine implements Engine {
  private readonly waiting = new Map<number, (outcome: never) => void>();
  private nextCall = 1;
  private nextFile: FileId = 1;
  private broken: string | undefined;

  constructor(private readonly worker: Worker) {
    worker.addEventListener('message', ({ data: { call, outcome } }: MessageEvent<Reply>) => {
      const answer = this.waiting.get(call);
      this.waiting.delete(call);
      answer?.(outcome as never);
    });
    worker.addEventListener('error', ({ message }) => this.breakDown(message));
    worker.addEventListener('messageerror', () => this.breakDown('an unreadable message'));
  }

  /** @param wasm the core's bytes, given away */
  start(wasm: ArrayBuffer): Promise<Outcome<null>> {
    return this.ask<'start'>((call) => ({ type: 'start', call, wasm }), [wasm]);
  }

  receive(): ArrivingModel {
    const file = this.nextFile++;
    let pieces: Piece[] = [];
    let waitingBytes = 0;
    let total: number | undefined;
    const send = () => {
      this.tell({ type: 'append', file, pieces, total }, buffersOf(pieces));
      pieces = [];
      waitingBytes = 0;
    };
    return {
      append: (piece, ofTotal) => {
        total = ofTotal;
        pieces.push(piece);
        waitingBytes += piece.length;
        if (waitingBytes >= messageBytes) send();
      },
      open: () => {
        send();
        return this.ask<'open'>((call) => ({ type: 'open', call, file }));
      },
      discard: () => this.tell({ type: 'discard', file }),
    };
  }

  translate(model: ModelId, text: string, search: Search): Promise<Outcome<Translation>> {
    return this.ask<'translate'>((call) => ({ type: 'translate', call, model, text, search }));
  }

  steps(model: ModelId, sentence: Sentence): Promise<Outcome<DecodingStep[]>> {
    return this.ask<'steps'>((call) => ({ type: 'steps', call, model, sentence }));
  }

  close(model: ModelId): void {
    this.tell({ type: 'close', model });
  }

  private tell(request: Request, transfer: Transferable[] = []): void {
    this.worker.postMessage(request, transfer);
  }

  private ask<Type extends keyof Replies>(
    request: (call: number) => Request,
    transfer: Transferable[] = [],
  ): Promise<Replies[Type]> {
    return new Promise((resolve) => {
      if (this.broken) return resolve(stopped(this.broken));
      const call = this.nextCall++;
      this.waiting.set(call, resolve);
      this.tell(request(call), transfer);
    });
  }

  private breakDown(reason: string): void {
    this.broken = reason;
    for (const answer of this.waiting.values()) answer(stopped(reason) as never);
    this.waiting.clear();
  }
}

function stopped(reason: string): { error: { kind: 'engine'; message: string } } {
  return {
    error: { kind: 'engine', message: `The translation engine stopped; reload the page to go on (${reason}).` },
  };
}
