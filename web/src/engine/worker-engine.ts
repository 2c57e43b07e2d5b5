import { longPatience, patiently } from '../loading/patience.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import type { ArrivingModel, Engine, ModelId, Outcome, Piece } from './engine.ts';
import { buffersOf, type Calls, type FileId, type Reply, type Request } from './protocol.ts';

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

  start(wasm: ArrayBuffer): Promise<Outcome<null>> {
    return this.ask('start', [wasm], [wasm]);
  }

  receive(): ArrivingModel {
    const file = this.nextFile++;
    let pieces: Piece[] = [];
    let waitingBytes = 0;
    let total: number | undefined;
    const send = () => {
      this.tell('append', [file, pieces, total], buffersOf(pieces));
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
        return this.ask('open', [file]);
      },
      discard: () => this.tell('discard', [file]),
    };
  }

  translate(...parameters: Parameters<Engine['translate']>): Promise<Outcome<Translation>> {
    return this.ask('translate', parameters);
  }

  steps(...parameters: Parameters<Engine['steps']>): Promise<Outcome<DecodingStep[]>> {
    return this.ask('steps', parameters);
  }

  close(model: ModelId): void {
    this.tell('close', [model]);
  }

  private tell<Name extends keyof Calls>(
    name: Name,
    parameters: Parameters<Calls[Name]>,
    transfer: Transferable[] = [],
  ): number {
    const call = this.nextCall++;
    this.worker.postMessage({ call, name, parameters } satisfies Request<Name>, transfer);
    return call;
  }

  private ask<Name extends 'start' | 'open' | 'translate' | 'steps'>(
    name: Name,
    parameters: Parameters<Calls[Name]>,
    transfer?: Transferable[],
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    return new Promise((resolve) => {
      if (this.broken) resolve(stopped(this.broken) as never);
      else this.waiting.set(this.tell(name, parameters, transfer), resolve);
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
