import type { Failure } from '../errors.ts';
import type { SearchOptions } from '../search-options.ts';
import type { Alternative, ModelInformation, Translation } from '../translation.ts';

/** A value, or why there is none. Engines reject no promise for what a caller can cause: classes do not cross threads. */
export type Outcome<T> = { readonly value: T } | { readonly error: Failure };

/** A model inside an engine. */
export type ModelId = number;

export interface OpenedModel {
  readonly id: ModelId;
  readonly information: ModelInformation;
}

/** A translation of which the alternatives are wanted. */
export interface Sentence {
  readonly source: number[];
  /** Without BOS. */
  readonly target: number[];
  /** Alternatives of every target token. */
  readonly count: number;
}

/** Holds models and translates with them: in a worker, or here where a worker is refused. */
export interface Engine {
  /** @param bytes a model file, given away */
  open(bytes: ArrayBuffer): Promise<Outcome<OpenedModel>>;
  translate(model: ModelId, text: string, options: Required<SearchOptions>): Promise<Outcome<Translation>>;
  alternatives(model: ModelId, sentence: Sentence): Promise<Outcome<Alternative[][]>>;
  close(model: ModelId): void;
}
