import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import type { ModelId, Outcome, Piece, ReadModel, Sentence } from './engine.ts';

/** A model file that arrives in the worker. */
export type FileId = number;

/** What the page asks of the worker. Every request with a number is answered by one reply with the same number. */
export type Request =
  | { readonly type: 'start'; readonly call: number; readonly wasm: ArrayBuffer }
  | {
      readonly type: 'append';
      readonly file: FileId;
      readonly pieces: Piece[];
      readonly total: number | undefined;
    }
  | { readonly type: 'open'; readonly call: number; readonly file: FileId }
  | { readonly type: 'discard'; readonly file: FileId }
  | {
      readonly type: 'translate';
      readonly call: number;
      readonly model: ModelId;
      readonly text: string;
      readonly search: Search;
    }
  | { readonly type: 'steps'; readonly call: number; readonly model: ModelId; readonly sentence: Sentence }
  | { readonly type: 'close'; readonly model: ModelId };

export interface Replies {
  start: Outcome<null>;
  open: Outcome<ReadModel>;
  translate: Outcome<Translation>;
  steps: Outcome<DecodingStep[]>;
}

export interface Reply {
  readonly call: number;
  readonly outcome: Replies[keyof Replies];
}

/** What to transfer with pieces. */
export function buffersOf(pieces: readonly Piece[]): ArrayBuffer[] {
  return pieces.map(({ buffer }) => buffer);
}
