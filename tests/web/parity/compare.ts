// What WebAssembly says beside what native said, wherever this runs: in Node and in a browser.
import type { Core, CoreFailure, CoreModel } from 'softalign-core';
import { completeOptions } from '../../../web/src/search-options.ts';
import { alignWords } from '../../../web/src/view/units.ts';

/** One sentence as `parity_dump` wrote it. */
export interface Dumped {
  text: string;
  translation: string;
  source: number[];
  target: number[];
  /** The words of the picture. */
  columns: string[];
  rows: string[];
  alignment: number[];
  logits: number[];
}

export interface Comparison {
  /** Sentences whose text or tokens differ, told in words. */
  differences: string[];
  largestAlignmentDifference: number;
  largestLogitDifference: number;
}

/** The comparison of what is the same to the last bit. */
export const identical: Comparison = { differences: [], largestAlignmentDifference: 0, largestLogitDifference: 0 };

/** As the page writes what ends a sentence. */
function shown(unit: string): string {
  return unit === '</s>' ? '(end)' : unit;
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs((a[i] as number) - (b[i] as number));
    largest = Math.max(largest, difference); // what is no number stays, and fails every bound
  }
  return largest;
}

function unwrap<T>(result: T | CoreFailure): T {
  if (typeof result === 'object' && result && 'error' in result) throw new Error(result.error.message);
  return result as T;
}

/** Greedy translation and forced decoding of every sentence. */
export function compareWithNative(core: Core, bytes: Uint8Array, native: Dumped[]): Comparison {
  const file = new core.ArrivingModel();
  file.append(bytes, bytes.length);
  const model = file.open() as CoreModel;
  const result: Comparison = { differences: [], largestAlignmentDifference: 0, largestLogitDifference: 0 };
  const compareTokens = (what: string, ours: unknown, theirs: unknown) => {
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
      result.differences.push(`${what}: ${JSON.stringify(ours)} here, natively ${JSON.stringify(theirs)}`);
    }
  };
  for (const expected of native) {
    const search = unwrap(model.search(new TextEncoder().encode(expected.text), completeOptions({})));
    unwrap(search.advance(Number.POSITIVE_INFINITY));
    const translation = unwrap(search.translation());
    search.delete();
    const best = translation.hypotheses[0];
    const source = translation.source.map(({ id }) => id);
    const target = [1, ...(best?.target.map(({ id }) => id) ?? []), ...(best?.finished ? [] : [2])];
    compareTokens('translation', best?.text, expected.translation);
    compareTokens('source', source, expected.source);
    compareTokens('target', target, expected.target);
    const view = best && alignWords(translation, best);
    compareTokens(
      'columns',
      view?.source.map(({ text }) => text),
      expected.columns.map(shown),
    );
    compareTokens(
      'rows',
      view?.target.map(({ text }) => text),
      expected.rows.map(shown),
    );
    const logits = unwrap(model.logits(expected.source, expected.target));
    result.largestAlignmentDifference = Math.max(
      result.largestAlignmentDifference,
      largestDifference(best?.alignment ?? [], expected.alignment),
    );
    result.largestLogitDifference = Math.max(result.largestLogitDifference, largestDifference(logits, expected.logits));
  }
  model.delete();
  return result;
}
