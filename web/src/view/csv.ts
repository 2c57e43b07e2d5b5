import { type AlignmentView, weightAt } from './units.ts';

/** Digits after the point: enough that a row's sum shows no rounding. */
const digits = 6;

/** The weights as a table (RFC 4180): source across, target down. Spreadsheets take it for UTF-8 by the mark at its beginning. */
export function alignmentCsv(view: AlignmentView): string {
  const head = ['', ...view.source.map((unit) => unit.text)];
  const rows = view.target.map((unit, row) => [
    unit.text,
    ...view.source.map((_, column) => weightAt(view, row, column).toFixed(digits)),
  ]);
  return `\u{feff}${[head, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')}`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
