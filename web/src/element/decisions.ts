// What the reader decides in the model's place, as a search is told.
import type { SearchOptions } from '../search-options.ts';
import type { Hypothesis, Token, Translation } from '../translation.ts';

export type Decisions = Required<Pick<SearchOptions, 'prefix' | 'weights'>>;

type Decided = Pick<Translation, 'source' | 'given'>;

/** Up to a step all stays as it is, then another token is written, or a text in its place. */
export function decideWord(
  translation: Decided,
  { target, alignment }: Pick<Hypothesis, 'target' | 'alignment'>,
  step: number,
  word: Pick<Token, 'id'> | string,
): Decisions {
  return {
    prefix: [...target.slice(0, step), word],
    weights: givenWeights(translation, alignment, (given) => given <= step),
  };
}

/** Up to a step all stays as it is, then the source is read by other shares. */
export function decideWeights(
  translation: Decided,
  { target, alignment }: Pick<Hypothesis, 'target' | 'alignment'>,
  step: number,
  row: Float32Array,
): Decisions {
  const weights = givenWeights(translation, alignment, (given) => given < step);
  weights.set(step, row);
  return { prefix: target.slice(0, step), weights };
}

/** The rows that were given earlier. */
function givenWeights(
  { source, given }: Decided,
  alignment: Float32Array,
  stays: (step: number) => boolean,
): Map<number, Float32Array> {
  const row = (step: number) => alignment.slice(step * source.length, (step + 1) * source.length);
  return new Map((given?.weights ?? []).filter(stays).map((step) => [step, row(step)]));
}
