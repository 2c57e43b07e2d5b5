// Draws the visible part of the heatmap. Every edge lies on a device pixel, so that cells are sharp at any pixel ratio.
import { type Box, cellBox, type HeatmapLayout, type Offset, visibleCells } from './layout.ts';
import type { Pen } from './pen.ts';
import type { Ramp } from './ramp.ts';
import { highlights, type Selection } from './selection.ts';
import { type AlignmentView, type Unit, weightAt } from './units.ts';

export interface Look {
  readonly ramp: Ramp;
  /** CSS colours. */
  readonly text: string;
  readonly muted: string;
  readonly surface: string;
  readonly accent: string;
  /** Font family. */
  readonly family: string;
  /** In CSS pixels. */
  readonly fontSize: number;
}

export interface Picture {
  readonly view: AlignmentView;
  readonly layout: HeatmapLayout;
  readonly look: Look;
  readonly selection: Selection | null;
  readonly scroll: Offset;
  /** The visible part, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

/** Cells from this size on show their weight as a number. */
const numberedWidth = 30;
const dimmed = 0.3;

/** On a pen that is clean and scaled to CSS pixels. */
export function drawHeatmap(pen: Pen, picture: Picture): void {
  const { layout, width, height } = picture;
  clipped(pen, { x: layout.left, y: layout.top, width, height }, () => drawCells(pen, picture));
  clipped(pen, { x: layout.left - 1, y: 0, width, height: layout.top }, () => drawColumnLabels(pen, picture));
  clipped(pen, { x: 0, y: layout.top, width: layout.left, height }, () => drawRowLabels(pen, picture));
}

export function fontOf(look: Pick<Look, 'family' | 'fontSize'>, weight: number | 'normal' = 'normal'): string {
  return `${weight} ${look.fontSize}px ${look.family}`;
}

/** A text that fits, shortened at its end if necessary. */
export function shorten(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && measure(`${characters.join('')}…`) > width) characters.pop();
  return `${characters.join('')}…`;
}

function drawCells(pen: Pen, picture: Picture): void {
  const { view, layout, look, selection } = picture;
  const numbered = layout.cellWidth >= numberedWidth;
  pen.font = `${Math.round(look.fontSize * 0.8)}px ${look.family}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const { rows, columns } = visibleCells(layout, picture.scroll, picture);
  for (let row = rows[0]; row < rows[1]; row++) {
    for (let column = columns[0]; column < columns[1]; column++) {
      const box = visibleBox(picture, row, column);
      const weight = weightAt(view, row, column);
      const highlighted = !selection || highlights(selection, row, column);
      pen.globalAlpha = highlighted ? 1 : dimmed;
      pen.fillStyle = look.ramp.colour(weight);
      pen.fillRect(box.x, box.y, box.width, box.height);
      if (numbered && highlighted && weight >= (selection ? 0.005 : 0.1)) {
        pen.fillStyle = look.ramp.ink(weight);
        pen.fillText(String(Math.round(weight * 100)), box.x + box.width / 2, box.y + box.height / 2 + 1);
      }
    }
  }
  pen.globalAlpha = 1;
  if (selection) drawOutline(pen, picture, selection);
}

function drawOutline(pen: Pen, picture: Picture, selection: Selection): void {
  const { layout, scroll, look } = picture;
  const first = cellBox(layout, selection.row ?? 0, selection.column ?? (layout.rightToLeft ? layout.columns - 1 : 0));
  pen.strokeStyle = look.accent;
  pen.lineWidth = 2;
  pen.strokeRect(
    first.x - scroll.x,
    first.y - scroll.y,
    (selection.column === null ? layout.columns * layout.cellWidth : layout.cellWidth) - 1,
    (selection.row === null ? layout.rows * layout.cellHeight : layout.cellHeight) - 1,
  );
}

function drawRowLabels(pen: Pen, picture: Picture): void {
  const { view, layout, look, selection, scroll } = picture;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  view.target.forEach((unit, row) => {
    const y = layout.top + (row + 0.5) * layout.cellHeight - scroll.y;
    if (y < layout.top - layout.cellHeight || y > picture.height + layout.cellHeight) return;
    const highlighted = highlights(selection, row, null);
    dressLabel(pen, look, unit, selection !== null, highlighted && selection?.row !== null);
    const text = shorten(unit.text, layout.longestRowLabel, (part) => pen.measureText(part).width);
    pen.fillText(text, layout.left - 10, y);
  });
  pen.globalAlpha = 1;
}

function drawColumnLabels(pen: Pen, picture: Picture): void {
  const { view, layout, look, selection, scroll } = picture;
  view.source.forEach((unit, column) => {
    const highlighted = selection?.column === column;
    if (!highlighted && column % layout.labelStep !== 0) return;
    const box = cellBox(layout, 0, column);
    const x = box.x + box.width / 2 - scroll.x;
    if (x < layout.left - layout.cellWidth || x > picture.width + layout.cellWidth) return;
    dressLabel(pen, look, unit, selection !== null, highlighted);
    const text = shorten(unit.text, layout.longestColumnLabel, (part) => pen.measureText(part).width);
    pen.save();
    pen.translate(x, layout.top - 6);
    if (layout.angle === 0) {
      pen.textAlign = 'center';
      pen.textBaseline = 'alphabetic';
      pen.fillText(text, 0, -2);
    } else {
      pen.rotate((-layout.angle * Math.PI) / 180);
      pen.textAlign = 'left';
      pen.textBaseline = 'middle';
      if (highlighted && layout.labelStep > 1) coverNeighbours(pen, look, text);
      pen.fillText(text, 0, 0);
    }
    pen.restore();
  });
  pen.globalAlpha = 1;
}

/** Thinned-out labels leave no room for the selected one between them: it is written on a patch of surface. */
function coverNeighbours(pen: Pen, look: Look, text: string): void {
  const { fillStyle } = pen;
  pen.fillStyle = look.surface;
  pen.fillRect(-2, -look.fontSize * 0.7, pen.measureText(text).width + 4, look.fontSize * 1.4);
  pen.fillStyle = fillStyle;
}

function dressLabel(pen: Pen, look: Look, unit: Unit, selecting: boolean, highlighted: boolean): void {
  pen.font = fontOf(look, highlighted ? 600 : 'normal');
  pen.fillStyle = unit.special && !highlighted ? look.muted : highlighted ? look.accent : look.text;
  pen.globalAlpha = selecting && !highlighted ? 0.55 : 1;
}

/** A cell's coloured part in the picture as it is scrolled, on whole device pixels, with a gap to its neighbours. */
function visibleBox(picture: Picture, row: number, column: number): Box {
  const { layout, scroll, pixelRatio } = picture;
  const box = cellBox(layout, row, column);
  const x = box.x - scroll.x;
  const y = box.y - scroll.y;
  const snap = (value: number) => Math.round(value * pixelRatio) / pixelRatio;
  const gap = layout.cellWidth > 20 ? 2 : 1;
  const [left, top] = [snap(x), snap(y)];
  return { x: left, y: top, width: snap(x + box.width - gap) - left, height: snap(y + box.height - gap) - top };
}

function clipped(pen: Pen, { x, y, width, height }: Box, draw: () => void): void {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  draw();
  pen.restore();
}
