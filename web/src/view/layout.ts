// Where the parts of the heatmap lie, in CSS pixels. Labels stay readable by turning, then by thinning out; when even the
// smallest cells do not fit, the cells scroll below labels that stay.

export interface LayoutInput {
  readonly rows: number;
  readonly columns: number;
  /** Width of every label when written horizontally. */
  readonly rowLabels: readonly number[];
  readonly columnLabels: readonly number[];
  readonly lineHeight: number;
  /** Room that the heatmap may take. */
  readonly width: number;
  /** Columns run from right to left. */
  readonly rightToLeft: boolean;
}

export interface HeatmapLayout {
  readonly rows: number;
  readonly columns: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Width of the column of row labels, and height of the row of column labels. */
  readonly left: number;
  readonly top: number;
  /** Space to the right of the cells that turned labels lean into. */
  readonly right: number;
  /** How far column labels are turned, in degrees: 0, 45 or 90. */
  readonly angle: 0 | 45 | 90;
  /** Of the column labels every `labelStep`-th is drawn. */
  readonly labelStep: number;
  /** Longest label that is written in full. */
  readonly longestRowLabel: number;
  readonly longestColumnLabel: number;
  /** Size of the whole picture, which may be wider than the room. */
  readonly width: number;
  readonly height: number;
  readonly rightToLeft: boolean;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Offset {
  readonly x: number;
  readonly y: number;
}

const gap = 8;
const widestCell = 64;
const tallestCell = 44;
/** Below this size a picture of the whole is no help, and the cells scroll instead. */
const narrowestCell = 12;
const longestTurnedLabel = 140;

export function layOut(input: LayoutInput): HeatmapLayout {
  const { rows, columns, lineHeight, rightToLeft } = input;
  const longestRowLabel = Math.min(Math.max(0, ...input.rowLabels), Math.max(72, input.width * 0.3));
  const left = Math.ceil(longestRowLabel + 2 * gap);
  const header = layOutHeader(input, input.width - left);
  const { cellWidth, top, right } = header;
  const cellHeight = Math.round(Math.min(tallestCell, Math.max(lineHeight + 4, cellWidth)));
  const width = left + columns * cellWidth + right;
  return {
    rows,
    columns,
    ...header,
    cellHeight,
    left,
    longestRowLabel,
    width,
    height: top + rows * cellHeight,
    rightToLeft,
  };
}

type Header = Pick<HeatmapLayout, 'angle' | 'cellWidth' | 'labelStep' | 'longestColumnLabel' | 'right' | 'top'>;

/** The least turned labels that do not run into each other. @param room for all cells of a row */
function layOutHeader({ columns, columnLabels, lineHeight }: LayoutInput, room: number): Header {
  const longest = Math.max(0, ...columnLabels);
  const share = (width: number, widest: number) => Math.floor(Math.min(widest, width / Math.max(1, columns)));

  const flat = longest + gap;
  const flatWidth = share(room, flat <= 1.5 * widestCell ? Math.max(widestCell, flat) : widestCell);
  if (flatWidth >= flat) {
    return {
      angle: 0,
      cellWidth: flatWidth,
      labelStep: 1,
      longestColumnLabel: longest,
      right: 0,
      top: lineHeight + gap,
    };
  }

  const longestColumnLabel = Math.min(longest, longestTurnedLabel);
  const tight = Math.ceil(0.9 * lineHeight);
  const lean = (longestColumnLabel + lineHeight) * Math.SQRT1_2;
  const right = Math.ceil(Math.max(0, lean - narrowestCell / 2));
  const leaningWidth = share(room - right, widestCell);
  // Neighbouring baselines of labels at 45 degrees are this much closer than the cells.
  if (leaningWidth * Math.SQRT1_2 >= tight) {
    return { angle: 45, cellWidth: leaningWidth, labelStep: 1, longestColumnLabel, right, top: Math.ceil(lean) + gap };
  }

  const uprightWidth = share(room, widestCell);
  const cellWidth = uprightWidth >= narrowestCell ? uprightWidth : tight;
  const labelStep = Math.ceil(tight / cellWidth);
  return { angle: 90, cellWidth, labelStep, longestColumnLabel, right: 0, top: Math.ceil(longestColumnLabel) + gap };
}

/** A cell in the picture, before scrolling. */
export function cellBox(layout: HeatmapLayout, row: number, column: number): Box {
  const place = layout.rightToLeft ? layout.columns - 1 - column : column;
  return {
    x: layout.left + place * layout.cellWidth,
    y: layout.top + row * layout.cellHeight,
    width: layout.cellWidth,
    height: layout.cellHeight,
  };
}

/** Rows and columns that can be seen: from the first to before the last. */
export function visibleCells(
  layout: HeatmapLayout,
  scroll: Offset,
  room: { readonly width: number; readonly height: number },
): { rows: [number, number]; columns: [number, number] } {
  const range = (scrolled: number, size: number, cell: number, count: number): [number, number] => [
    Math.max(0, Math.floor(scrolled / cell)),
    Math.min(count, Math.ceil((scrolled + size) / cell)),
  ];
  const [first, last] = range(scroll.x, room.width - layout.left, layout.cellWidth, layout.columns);
  return {
    rows: range(scroll.y, room.height - layout.top, layout.cellHeight, layout.rows),
    columns: layout.rightToLeft ? [layout.columns - last, layout.columns - first] : [first, last],
  };
}

/**
 * What lies at a point of the visible part: a cell, a row's or a column's label, or nothing.
 * @param scroll how far the cells are scrolled below the labels
 */
export function hit(
  layout: HeatmapLayout,
  point: Offset,
  scroll: Offset,
): { row: number | null; column: number | null } | null {
  const column = point.x < layout.left ? null : Math.floor((point.x + scroll.x - layout.left) / layout.cellWidth);
  const row = point.y < layout.top ? null : Math.floor((point.y + scroll.y - layout.top) / layout.cellHeight);
  if (column !== null && column >= layout.columns) return null;
  if (row !== null && row >= layout.rows) return null;
  if (row === null && column === null) return null;
  return { row, column: column !== null && layout.rightToLeft ? layout.columns - 1 - column : column };
}

/** How to scroll so that what is selected can be seen. @param room the visible part's size */
export function scrollTo(
  layout: HeatmapLayout,
  selection: { row: number | null; column: number | null },
  scroll: Offset,
  room: { readonly width: number; readonly height: number },
): Offset {
  const box = cellBox(layout, selection.row ?? 0, selection.column ?? 0);
  return {
    x:
      selection.column === null ? scroll.x : reveal(box.x - layout.left, box.width, scroll.x, room.width - layout.left),
    y: selection.row === null ? scroll.y : reveal(box.y - layout.top, box.height, scroll.y, room.height - layout.top),
  };
}

function reveal(begin: number, size: number, scroll: number, room: number): number {
  if (begin < scroll) return begin;
  return begin + size > scroll + room ? begin + size - room : scroll;
}
