import type { Hypothesis, Translation } from './translation.ts';

/** Four digits are more than an eye can tell apart. */
const digits = 4;

/** A translation as JSON, its numbers rounded. */
export function translationToJson(translation: Translation): string {
  return JSON.stringify(translation, (_, value) =>
    value instanceof Float32Array ? Array.from(value, rounded) : typeof value === 'number' ? rounded(value) : value,
  );
}

/** Counts stay as they are. */
function rounded(number: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(digits));
}

/** @param json what `translationToJson` wrote */
export function translationFromJson(json: string): Translation {
  const parsed = JSON.parse(json) as Translation;
  const revive = (hypothesis: Hypothesis): Hypothesis => ({
    ...hypothesis,
    alignment: new Float32Array(hypothesis.alignment),
    stepLogProbabilities: new Float32Array(hypothesis.stepLogProbabilities),
  });
  return { ...parsed, alignment: new Float32Array(parsed.alignment), hypotheses: parsed.hypotheses.map(revive) };
}
