// The heatmap for assistive technology.
import { html, type TemplateResult } from 'lit';
import { percent, tell } from './tell.ts';
import { type AlignmentView, weightAt } from './units.ts';

/** Beyond this nobody walks from cell to cell, and the page would drag. */
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
