// The alignment as a table: for assistive technology, and for spreadsheets.
import { html, type TemplateResult } from 'lit';
import { percent, tell } from './tell.ts';
import { type AlignmentView, weightAt } from './units.ts';

/** Beyond this size nobody walks from cell to cell, and the page would become slow. */
const mostCells = 2500;

export function alignmentTable(view: AlignmentView): TemplateResult {
  const rows = view.target.map((unit, row) => ({ unit, row }));
  if (view.source.length * view.target.length > mostCells) {
    return html`<table>
      <caption>What each word of the translation read most</caption>
      ${rows.map(({ unit, row }) => html`<tr><th scope="row">${unit.text}</th><td>${tell(view, { row, column: null })}</td></tr>`)}
    </table>`;
  }
  return html`<table>
    <caption>How much of each source word (columns) each word of the translation (rows) read</caption>
    <tr><td></td>${view.source.map((unit) => html`<th scope="col">${unit.text}</th>`)}</tr>
    ${rows.map(
      ({ unit, row }) =>
        html`<tr><th scope="row">${unit.text}</th>${view.source.map(
          (_, column) => html`<td>${percent(weightAt(view, row, column))}</td>`,
        )}</tr>`,
    )}
  </table>`;
}

/** Digits after the point: enough that a row's sum shows no rounding. */
const digits = 6;

/**
 * The weights as a table (RFC 4180): source across, target down. Spreadsheets take it for UTF-8 by the mark at its beginning, and
 * words that they would take for formulas for text by an apostrophe.
 */
export function alignmentCsv(view: AlignmentView): string {
  const head = ['', ...view.source.map((unit) => literal(unit.text))];
  const rows = view.target.map((unit, row) => [
    literal(unit.text),
    ...view.source.map((_, column) => weightAt(view, row, column).toFixed(digits)),
  ]);
  return `\u{feff}${[head, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')}`;
}

/** Spreadsheets read what begins so as a formula, full-width signs and what stands behind white space too. */
function literal(text: string): string {
  return /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
