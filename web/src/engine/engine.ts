import type { Failure } from '../errors.ts';
import type { ImposedWeights, Search } from '../search-options.ts';
import type { DecodingStep, ModelInformation, Translation } from '../translation.ts';

/** A value, or why there is none. Engines reject no promise for what a caller can cause: classes do not cross threads. */
export type Outcome<T> = { readonly value: T } | { readonly error: Failure };

/** A model inside an engine. */
export type ModelId = number;

export interface OpenedModel {
  readonly id: ModelId;
  readonly information: ModelInformation;
}

/** A translation of which the steps are wanted. */
export interface Sentence {
  readonly source: number[];
  /** Without BOS. */
  readonly target: number[];
  /** The weights that were imposed. */
  readonly weights: ImposedWeights;
  /** Alternatives at every step. */
  readonly count: number;
}

/** Bytes of a file that fill their buffer, so that threads can hand them on without a copy. */
export type Piece = Uint8Array<ArrayBuffer>;

/** A model, and the file that it was read from, given back. */
export interface ReadModel {
  readonly model: OpenedModel;
  readonly pieces: Piece[];
}

/** A model file on its way into an engine, which takes its pieces as they come. */
export interface ArrivingModel {
  /** @param piece the next bytes, given away   @param total bytes in all, where that is known */
  append(piece: Piece, total: number | undefined): void;
  /** To be called once, after the last piece. */
  open(): Promise<Outcome<ReadModel>>;
  /** In place of `open`. */
  discard(): void;
}

/** Holds models and translates with them: in a worker, or here where a worker is refused. */
export interface Engine {
  /** Whether it broke down: from then on it answers whatever it is asked with a failure, and another has to be started. */
  readonly stopped: boolean;
  receive(): ArrivingModel;
  // The signal ends what is asked for between two of its steps; its value is null then.

  translate(model: ModelId, text: string, search: Search, signal: AbortSignal): Promise<Outcome<Translation | null>>;
  steps(model: ModelId, sentence: Sentence, signal: AbortSignal): Promise<Outcome<DecodingStep[] | null>>;
  close(model: ModelId): void;
}

/** What an engine answers after it broke down. */
export function stoppedFor(reason: string): { error: Failure } {
  return {
    error: { kind: 'engine', message: `The translation engine stopped; try again, or use a shorter text (${reason}).` },
  };
}
