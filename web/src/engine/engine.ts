import type { Failure } from '../errors.ts';
import type { GivenWeights, Search } from '../search-options.ts';
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
  /** The weights that were not the model's own. */
  readonly weights: GivenWeights;
  /** Alternatives at every step. */
  readonly count: number;
}

/** Holds models and translates with them: in a worker, or here where a worker is refused. */
export interface Engine {
  /** @param bytes a model file, given away */
  open(bytes: ArrayBuffer): Promise<Outcome<OpenedModel>>;
  translate(model: ModelId, text: string, search: Search): Promise<Outcome<Translation>>;
  steps(model: ModelId, sentence: Sentence): Promise<Outcome<DecodingStep[]>>;
  close(model: ModelId): void;
}
