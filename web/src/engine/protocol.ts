import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import type { ModelId, OpenedModel, Outcome, Sentence } from './engine.ts';

/** What the page asks of the worker. Every request but `close` is answered by one reply with the same number. */
export type Request =
  | { readonly type: 'start'; readonly call: number; readonly wasm: ArrayBuffer }
  | { readonly type: 'open'; readonly call: number; readonly bytes: ArrayBuffer }
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
  open: Outcome<OpenedModel>;
  translate: Outcome<Translation>;
  steps: Outcome<DecodingStep[]>;
}

export interface Reply {
  readonly call: number;
  readonly outcome: Replies[keyof Replies];
}
