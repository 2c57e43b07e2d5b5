// The alignment in words, for the line below the heatmap and for readers who cannot see it.
import { isRightToLeft } from './direction.ts';
import type { Selection } from './selection.ts';
import { type AlignmentView, weightAt } from './units.ts';

/** How many words are named before the rest is left out. */
const named = 3;
const worthNaming = 0.02;

/** One sentence about what is selected. */
export function tell(view: AlignmentView, { row, column }: Selection): string {
  if (view.weights.length === 0)
    return 'This model has no attention: it kept the whole sentence in one fixed-size state.';
  if (row !== null && column !== null) return tellCell(view, row, column);
  if (row !== null) return tellRow(view, row);
  return column !== null ? tellColumn(view, column) : '';
}

function tellCell(view: AlignmentView, row: number, column: number): string {
  return `${writing(view, row)}, the model read ${percent(weightAt(view, row, column))} from ${quote(view.source[column]?.text)}.`;
}

function tellRow(view: AlignmentView, row: number): string {
  const read = strongest(view.source.map((_, column) => weightAt(view, row, column))).map(
    ({ index, weight }) => `${percent(weight)} from ${quote(view.source[index]?.text)}`,
  );
  return `${writing(view, row)}, the model read ${enumerate(read)}.`;
}

function tellColumn(view: AlignmentView, column: number): string {
  const word = quote(view.source[column]?.text);
  const readers = strongest(view.target.map((_, row) => weightAt(view, row, column)));
  if (readers.length === 0) return `${word} was hardly read at all.`;
  const list = readers.map(({ index, weight }) => `${quote(view.target[index]?.text)} (${percent(weight)})`);
  return `${word} was read most for ${enumerate(list)}.`;
}

function writing(view: AlignmentView, row: number): string {
  const unit = view.target[row];
  return unit?.special ? 'Ending the sentence' : `Writing ${quote(unit?.text)}`;
}

/** The largest weights that are worth naming, largest first. */
export function strongest(weights: readonly number[]): { index: number; weight: number }[] {
  return weights
    .map((weight, index) => ({ index, weight }))
    .filter(({ weight }) => weight >= worthNaming)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, named);
}

export function percent(weight: number): string {
  if (weight > 0 && weight < 0.005) return 'less than 1%';
  return `${Math.round(weight * 100)}%`;
}

/** Text that runs from right to left is isolated, because it would reorder the numbers around it. */
export function quote(text = ''): string {
  return isRightToLeft(text) ? `“\u2068${text}\u2069”` : `“${text}”`;
}

export function enumerate(list: readonly string[]): string {
  return list.length < 2 ? (list[0] ?? '') : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;
}
