import { UsageError } from './errors.ts';
import type { Token } from './translation.ts';

/** The most hypotheses that a search keeps alive. */
export const widestBeam = 64;

export interface SearchOptions {
  /** Hypotheses kept alive; 1 is greedy search. Default 1. */
  beam?: number;
  /** Hypotheses returned, at most `beam`. Default 1. */
  nbest?: number;
  /** Alpha in score = log-probability / length^alpha. Default 1. */
  lengthPenalty?: number;
  /** Most target tokens, including the end symbol; 0 means twice the source's plus five. Default 0. */
  maxLength?: number;
  /** The beginning of the translation: tokens of an earlier one by the same model, and texts. Default nothing. */
  prefix?: readonly (Pick<Token, 'id'> | string)[];
  /**
   * By step, counted from 0: the shares of the source tokens that are read in place of the model's own, which sum to 1.
   * Default none.
   */
  weights?: ReadonlyMap<number, ArrayLike<number>>;
  /** Whether the result has the tree of the search. Default false. */
  tree?: boolean;
}

/** Rows of imposed weights, each with the step that reads with it. */
export type ImposedWeights = readonly (readonly [step: number, row: Float32Array])[];

/** Every option with its value, in a form that crosses threads. */
export interface Search extends Required<Omit<SearchOptions, 'prefix' | 'weights'>> {
  readonly prefix: readonly (number | string)[];
  readonly weights: ImposedWeights;
}

/** Throws UsageError. */
export function completeOptions(options: SearchOptions): Search {
  const {
    beam = 1,
    nbest = 1,
    lengthPenalty = 1,
    maxLength = 0,
    prefix = [],
    weights = new Map(),
    tree = false,
  } = options;
  if (!isWhole(beam, 1, widestBeam))
    throw new UsageError(`beam is ${beam}; give a whole number from 1 to ${widestBeam}.`);
  if (!isWhole(nbest, 1, beam))
    throw new UsageError(`nbest is ${nbest}; give a whole number from 1 to beam (${beam}).`);
  if (!Number.isFinite(lengthPenalty)) throw new UsageError(`lengthPenalty is ${lengthPenalty}; give a number.`);
  if (!isWhole(maxLength, 0, mostSteps)) {
    throw new UsageError(`maxLength is ${maxLength}; give a whole number from 0 to ${mostSteps}.`);
  }
  for (const step of weights.keys()) {
    if (!isWhole(step, 0, mostSteps))
      throw new UsageError(`weights are for step ${step}; give a whole number from 0 to ${mostSteps}.`);
  }
  return {
    beam,
    nbest,
    lengthPenalty,
    maxLength,
    prefix: prefix.map((item) => (typeof item === 'string' ? item : item.id)),
    weights: [...weights].map(([step, row]) => [step, Float32Array.from(row)]),
    tree,
  };
}

const mostSteps = 10_000;

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
