import type { Failure } from '../errors.ts';
import { longPatience, patiently } from '../loading/patience.ts';
import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import {
  type ArrivingModel,
  type Engine,
  type ModelId,
  type Outcome,
  type Piece,
  type Sentence,
  stoppedFor,
} from './engine.ts';
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

/** The page's side of the engine in the worker, which ends with it. */
export class WorkerEngine implements Engine {
  private readonly waiting = new Map<number, (outcome: never) => void>();
  private nextCall = 1;
  private nextFile: FileId = 1;
  /** Why it broke down, for the message; undefined while it works. */
  private failure: { error: Failure } | undefined;

  constructor(private readonly worker: Worker) {
    worker.addEventListener('message', ({ data: { call, outcome, stopped } }: MessageEvent<Reply>) => {
      const answer = this.waiting.get(call);
      this.waiting.delete(call);
      if (stopped) this.breakDown('error' in outcome ? outcome : stoppedFor('it broke down'));
      answer?.(outcome as never);
    });
    worker.addEventListener('error', ({ message }) => this.breakDown(stoppedFor(message)));
    worker.addEventListener('messageerror', () => this.breakDown(stoppedFor('an unreadable message')));
  }

  get stopped(): boolean {
    return this.failure !== undefined;
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

  translate(model: ModelId, text: string, search: Search, signal: AbortSignal): Promise<Outcome<Translation | null>> {
    return this.until(signal, this.ask('translate', [model, text, search]));
  }

  steps(model: ModelId, sentence: Sentence, signal: AbortSignal): Promise<Outcome<DecodingStep[] | null>> {
    return this.until(signal, this.ask('steps', [model, sentence]));
  }

  /** Has the worker stop what it was asked for when the signal says so. */
  private async until<Answer>(signal: AbortSignal, answer: Promise<Answer>): Promise<Answer> {
    const stop = () => void this.tell('stop', []);
    signal.addEventListener('abort', stop);
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', stop);
    }
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
      if (this.failure) resolve(this.failure as never);
      else this.waiting.set(this.tell(name, parameters, transfer), resolve);
    });
  }

  private breakDown(failure: { error: Failure }): void {
    this.failure = failure;
    this.worker.terminate();
    for (const answer of this.waiting.values()) answer(failure as never);
    this.waiting.clear();
  }
}
