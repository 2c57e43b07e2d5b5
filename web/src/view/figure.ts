// The whole heatmap with its colour scale, as a picture to take away: the same whatever the window's size.

import { isRightToLeft } from './direction.ts';
import { drawHeatmap, fontOf, type Look } from './draw.ts';
import { type HeatmapLayout, layOut } from './layout.ts';
import { type Pen, type Ruler, ruler } from './pen.ts';
import { SvgPen } from './svg-pen.ts';
import type { AlignmentView, Unit } from './units.ts';

/** Room for a cell, and beside the cells. */
const cell = 40;
const beside = 280;
const margin = 16;
const scale = { height: 12, width: 128, gap: 20 };

/** What every browser's canvas can hold, in pixels (Safari's, on a phone, is the smallest). */
const largestArea = 16_777_216;
const longestSide = 8192;

/** The layout for labels in this font. @param width room that the heatmap may take */
export function layOutView(
  { source, target }: AlignmentView,
  font: Pick<Look, 'family' | 'fontSize'>,
  width: number,
  ruler: Ruler,
): HeatmapLayout {
  // Highlighted labels are bolder than the others, and must fit too.
  ruler.font = fontOf(font, 600);
  const widths = (units: readonly Unit[]) => units.map((unit) => ruler.measureText(unit.text).width);
  return layOut({
    rows: target.length,
    columns: source.length,
    rowLabels: widths(target),
    columnLabels: widths(source),
    lineHeight: Math.ceil(font.fontSize * 1.25),
    width,
    rightToLeft: isRightToLeft(source.map((unit) => unit.text).join(' ')),
  });
}

/** @param title what a screen reader says instead of the picture */
export function figureSvg(view: AlignmentView, look: Look, title: string, measure: Ruler = ruler()): string {
  const figure = layOutFigure(view, look, measure);
  const pen = new SvgPen(measure);
  drawFigure(pen, figure, 1);
  return pen.document(figure.width, figure.height, title);
}

/** Twice as fine as CSS pixels, or as fine as a canvas can hold. */
export async function figurePng(view: AlignmentView, look: Look): Promise<Blob | null> {
  const figure = layOutFigure(view, look, ruler());
  const pixelRatio = finestRatio(figure.width, figure.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(figure.width * pixelRatio);
  canvas.height = Math.floor(figure.height * pixelRatio);
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.scale(pixelRatio, pixelRatio);
  drawFigure(context, figure, pixelRatio);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Pixels per CSS pixel of a picture of this size. */
export function finestRatio(width: number, height: number): number {
  return Math.min(2, Math.sqrt(largestArea / (width * height)), longestSide / Math.max(width, height));
}

interface Figure {
  readonly view: AlignmentView;
  readonly look: Look;
  readonly layout: HeatmapLayout;
  readonly width: number;
  readonly height: number;
}

function layOutFigure(view: AlignmentView, look: Look, measure: Ruler): Figure {
  const layout = layOutView(view, look, view.source.length * cell + beside, measure);
  const widest = Math.max(layout.width, layout.left + scale.width + 2 * cell);
  const height = layout.height + scale.gap + Math.max(scale.height, look.fontSize);
  return { view, look, layout, width: widest + 2 * margin, height: height + 2 * margin };
}

function drawFigure(pen: Pen, { view, look, layout, width, height }: Figure, pixelRatio: number): void {
  pen.fillStyle = look.surface;
  pen.fillRect(0, 0, width, height);
  pen.save();
  pen.translate(margin, margin);
  const whole = { width: layout.width, height: layout.height, scroll: { x: 0, y: 0 } };
  drawHeatmap(pen, { view, layout, look, selection: null, pixelRatio, ...whole });
  drawScale(pen, layout.left, layout.height + scale.gap, look);
  pen.restore();
}

function drawScale(pen: Pen, left: number, top: number, look: Look): void {
  const steps = 64;
  for (let step = 0; step < steps; step++) {
    pen.fillStyle = look.ramp.colour(step / (steps - 1));
    // Neighbours overlap, or their edges would show as hairlines.
    const width = scale.width / steps + (step < steps - 1 ? 0.5 : 0);
    pen.fillRect(left + (step * scale.width) / steps, top, width, scale.height);
  }
  pen.font = fontOf({ ...look, fontSize: Math.round(look.fontSize * 0.9) });
  pen.fillStyle = look.muted;
  pen.textBaseline = 'middle';
  pen.textAlign = 'right';
  pen.fillText('0%', left - 10, top + scale.height / 2);
  pen.textAlign = 'left';
  pen.fillText('100%', left + scale.width + 10, top + scale.height / 2);
}
