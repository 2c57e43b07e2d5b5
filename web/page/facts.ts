// What can be said about the alignment of one sentence in plain words, with its own numbers.

import type { Selection } from '../src/view/selection.ts';
import { percent, quote, strongest } from '../src/view/tell.ts';
import { type AlignmentView, type Unit, weightAt } from '../src/view/units.ts';

/** One thing to see. */
export interface Fact {
  readonly title: string;
  readonly text: string;
  /** The rows it is about. */
  readonly rows: readonly number[];
  /** What to highlight in the picture. */
  readonly selection: Selection;
}

/** The facts worth mentioning, in order. */
export function factsOf(view: AlignmentView): Fact[] {
  const rows = [...view.target.keys()].filter((row) => isWord(view.target[row]));
  if (view.weights.length === 0 || rows.length === 0) return [];
  const facts = [sharpest(view, rows), order(view, rows), softest(view, rows)];
  return facts.filter((fact): fact is Fact => fact !== undefined);
}

function isWord(unit: Unit | undefined): boolean {
  return unit !== undefined && !unit.special && /[\p{Letter}\p{Number}]/u.test(unit.text);
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

/** From this weight on a row is said to have read one word. */
const clear = 0.4;

/** Two neighbouring target words that were read in reverse order, or the fact that all were read in the source's order. */
function order(view: AlignmentView, rows: readonly number[]): Fact | undefined {
  const clearRows = rows.filter((row) => peak(view, row).weight >= clear);
  const columnOf = (row: number) => peak(view, row).column;
  const crossed = clearRows.find((row) => {
    const next = rows[rows.indexOf(row) + 1];
    return next !== undefined && clearRows.includes(next) && columnOf(row) > columnOf(next);
  });
  if (crossed !== undefined) return crossing(view, crossed, rows[rows.indexOf(crossed) + 1] as number);
  const ascending = clearRows.every(
    (row, index) => index === 0 || columnOf(clearRows[index - 1] as number) <= columnOf(row),
  );
  const row = clearRows[Math.floor(clearRows.length / 2)];
  if (!ascending || row === undefined || clearRows.length < rows.length / 2) return undefined;
  return {
    title: 'The order is free',
    text: 'Here the strong cells run down the diagonal: both languages say this in the same order. Try a colour before a noun, such as “a red apple”, and watch two rows change places.',
    rows: [row],
    selection: { row, column: null },
  };
}

function crossing(view: AlignmentView, row: number, next: number): Fact {
  const [first, second] = [peak(view, row).column, peak(view, next).column];
  return {
    title: 'The order is free',
    text: `French writes ${target(view, row)} before ${target(view, next)}, English ${source(view, second)} before ${source(view, first)}. The network read to and fro, and the strong cells leave the diagonal.`,
    rows: [row, next],
    selection: { row, column: first },
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
