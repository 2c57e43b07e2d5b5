// What can be said of one sentence's alignment in plain words, with its own numbers.

import type { Selection } from '../src/view/selection.ts';
import { percent, quote, strongest } from '../src/view/tell.ts';
import { type AlignmentView, weightAt } from '../src/view/units.ts';

/** One thing to see. */
export interface Fact {
  readonly title: string;
  readonly text: string;
  /** The rows it is about. */
  readonly rows: readonly number[];
  /** What to light up in the picture. */
  readonly selection: Selection;
}

/** The facts worth telling, in the order of telling. */
export function factsOf(view: AlignmentView): Fact[] {
  const rows = [...view.target.keys()].filter((row) => !view.target[row]?.special);
  if (view.weights.length === 0 || rows.length === 0) return [];
  const facts = [sharpest(view, rows), crossing(view, rows), softest(view, rows)];
  return facts.filter((fact): fact is Fact => fact !== undefined);
}

/** The target word that knew best where to look. */
function sharpest(view: AlignmentView, rows: readonly number[]): Fact {
  const row = largest(rows, (candidate) => peak(view, candidate).weight);
  const { column, weight } = peak(view, row);
  return {
    title: 'Each row is one word being written',
    text: `To write ${target(view, row)}, the network read ${percent(weight)} from ${source(view, column)}. The darker the cell, the larger the share; every row sums to 100%.`,
    rows: [row],
    selection: { row, column: null },
  };
}

/** Two neighbouring target words that were read in the other order, or the lack of such. */
function crossing(view: AlignmentView, rows: readonly number[]): Fact | undefined {
  const crossed = rows.slice(0, -1).find((row, index) => {
    const next = rows[index + 1] as number;
    const [first, second] = [peak(view, row), peak(view, next)];
    return first.column > second.column && Math.min(first.weight, second.weight) > 0.4;
  });
  if (crossed === undefined) {
    const row = rows[Math.floor(rows.length / 2)] as number;
    return {
      title: 'The order is free',
      text: 'Here the strong cells run down the diagonal: both languages say this in the same order. Try a colour before a noun, such as “a red apple”, and watch two rows change places.',
      rows: [row],
      selection: { row, column: null },
    };
  }
  const next = rows[rows.indexOf(crossed) + 1] as number;
  const [first, second] = [peak(view, crossed).column, peak(view, next).column];
  return {
    title: 'The order is free',
    text: `French writes ${target(view, crossed)} before ${target(view, next)}, English ${source(view, second)} before ${source(view, first)}. The network read to and fro, and the strong cells leave the diagonal.`,
    rows: [crossed, next],
    selection: { row: crossed, column: first },
  };
}

/** The target word whose reading was spread the most. */
function softest(view: AlignmentView, rows: readonly number[]): Fact | undefined {
  const row = largest(rows, (candidate) => -peak(view, candidate).weight);
  const shares = strongest(view.source.map((_, column) => weightAt(view, row, column)));
  if (shares.length < 2) return undefined;
  const list = shares.map(({ index, weight }) => `${percent(weight)} from ${source(view, index)}`).join(', ');
  return {
    title: 'Some words need more than one',
    text: `${target(view, row)} was the least sure: ${list}. A verb may need its subject for its ending, an article its noun for its gender.`,
    rows: [row],
    selection: { row, column: null },
  };
}

function peak(view: AlignmentView, row: number): { column: number; weight: number } {
  const column = largest([...view.source.keys()], (candidate) => weightAt(view, row, candidate));
  return { column, weight: weightAt(view, row, column) };
}

function largest(candidates: readonly number[], measure: (candidate: number) => number): number {
  return candidates.reduce((best, candidate) => (measure(candidate) > measure(best) ? candidate : best));
}

function target(view: AlignmentView, row: number): string {
  return quote(view.target[row]?.text);
}

function source(view: AlignmentView, column: number): string {
  return quote(view.source[column]?.text);
}
