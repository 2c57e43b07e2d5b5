/** A cell of the heatmap, or with `null` a whole row or column: the keyboard's place as well as the pointer's. */
export interface Selection {
  readonly row: number | null;
  readonly column: number | null;
}

export interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** Columns run from right to left. */
  readonly rightToLeft: boolean;
}

/** Whether a unit of the target (row) or of the source (column) belongs to what is selected. */
export function highlights(selection: Selection | null, row: number | null, column: number | null): boolean {
  if (!selection) return false;
  if (row !== null && selection.row !== null && row !== selection.row) return false;
  if (column !== null && selection.column !== null && column !== selection.column) return false;
  return true;
}

export function sameSelection(a: Selection | null, b: Selection | null): boolean {
  return a?.row === b?.row && a?.column === b?.column;
}

/**
 * Where a key leads. Labels are places too: one step before the first cell of a row selects the row.
 * @returns undefined for a key that means nothing here, null for none
 */
export function move(selection: Selection | null, key: string, grid: Grid): Selection | null | undefined {
  const { rows, columns, rightToLeft } = grid;
  if (rows === 0 || columns === 0) return undefined;
  if (key === 'Escape') return selection ? null : undefined;
  const step = steps(rightToLeft).get(key);
  if (!step) return undefined;
  if (!selection) return { row: 0, column: null };
  const at = { row: selection.row ?? -1, column: selection.column ?? -1 };
  const row = clamp(step.row === undefined ? at.row : step.row(at.row, rows), rows);
  const column = clamp(step.column === undefined ? at.column : step.column(at.column, columns), columns);
  // The corner between the two rows of labels is nowhere.
  if (row < 0 && column < 0) return selection;
  return { row: row < 0 ? null : row, column: column < 0 ? null : column };
}

type Step = (at: number, size: number) => number;

function steps(rightToLeft: boolean): Map<string, { row?: Step; column?: Step }> {
  const onward: Step = (at) => at + 1;
  const back: Step = (at) => at - 1;
  return new Map([
    ['ArrowDown', { row: onward }],
    ['ArrowUp', { row: back }],
    ['ArrowRight', { column: rightToLeft ? back : onward }],
    ['ArrowLeft', { column: rightToLeft ? onward : back }],
    ['Home', { column: () => 0 }],
    ['End', { column: (_, size) => size - 1 }],
    ['PageUp', { row: () => 0 }],
    ['PageDown', { row: (_, size) => size - 1 }],
  ] as const satisfies [string, { row?: Step; column?: Step }][]);
}

function clamp(at: number, size: number): number {
  return Math.min(Math.max(at, -1), size - 1);
}
