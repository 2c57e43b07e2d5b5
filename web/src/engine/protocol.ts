import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import type { Engine, ModelId, Outcome, Piece, ReadModel, Sentence } from './engine.ts';

/** A model file that arrives in the worker. */
export type FileId = number;

/** What the page asks of the worker: an engine, but that model files go by numbers. Nothing is answered where nothing is returned. */
export interface Calls extends Pick<Engine, 'close'> {
  /** Before all others. @param wasm the core's bytes, given away */
  start(wasm: ArrayBuffer): Promise<Outcome<null>>;
  append(file: FileId, pieces: Piece[], total: number | undefined): void;
  open(file: FileId): Promise<Outcome<ReadModel>>;
  discard(file: FileId): void;
  translate(model: ModelId, text: string, search: Search): Promise<Outcome<Translation | null>>;
  steps(model: ModelId, sentence: Sentence): Promise<Outcome<DecodingStep[] | null>>;
  /** Ends the translation or the steps that are under way, if any are. */
  stop(): void;
}

export interface Request<Name extends keyof Calls = keyof Calls> {
  /** A number that the reply has too. */
  readonly call: number;
  readonly name: Name;
  readonly parameters: Parameters<Calls[Name]>;
}

export interface Reply {
  readonly call: number;
  readonly outcome: Outcome<unknown>;
  /** The engine broke down, and the worker is of no more use. */
  readonly stopped: boolean;
}

/** What to transfer with pieces. */
export function buffersOf(pieces: readonly Piece[]): ArrayBuffer[] {
  return pieces.map(({ buffer }) => buffer);
}
