import { UsageError } from './errors.ts';

export interface SearchOptions {
  /** Hypotheses kept alive; 1 is greedy search. Default 1. */
  beam?: number;
  /** Hypotheses returned, at most `beam`. Default 1. */
  nbest?: number;
  /** Alpha in score = log-probability / length^alpha. Default 1. */
  lengthPenalty?: number;
  /** Target tokens at most, end symbol included; 0 is twice the source's and five. Default 0. */
  maxLength?: number;
}

/** Every option with its value. Throws UsageError. */
export function completeOptions(options: SearchOptions): Required<SearchOptions> {
  const { beam = 1, nbest = 1, lengthPenalty = 1, maxLength = 0 } = options;
  if (!isWhole(beam, 1, 64)) throw new UsageError(`beam is ${beam}; give a whole number from 1 to 64.`);
  if (!isWhole(nbest, 1, beam))
    throw new UsageError(`nbest is ${nbest}; give a whole number from 1 to beam (${beam}).`);
  if (!Number.isFinite(lengthPenalty)) throw new UsageError(`lengthPenalty is ${lengthPenalty}; give a number.`);
  if (!isWhole(maxLength, 0, 10_000)) {
    throw new UsageError(`maxLength is ${maxLength}; give a whole number from 0 to 10000.`);
  }
  return { beam, nbest, lengthPenalty, maxLength };
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
