// The curves between the words of the two sentences.
import type { Box } from './layout.ts';
import { highlights, type Selection } from './selection.ts';
import { type AlignmentView, weightAt } from './units.ts';

export interface Link {
  readonly row: number;
  readonly column: number;
  readonly weight: number;
  readonly highlighted: boolean;
}

const worthShowing = 0.08;
const worthShowingHighlighted = 0.01;
const crowd = 20;

/**
 * The links to draw, strongest last so that they lie on top. With a selection, only its own, however weak; without one, all
 * that matter, unless they would blur into a haze.
 */
export function linksOf(view: AlignmentView, selection: Selection | null): Link[] {
  const links: Link[] = [];
  const crowded = Math.max(view.source.length, view.target.length) > crowd;
  if (view.weights.length === 0 || (crowded && !selection)) return links;
  for (let row = 0; row < view.target.length; row++) {
    for (let column = 0; column < view.source.length; column++) {
      const weight = weightAt(view, row, column);
      const highlighted = highlights(selection, row, column);
      if (weight >= (highlighted ? worthShowingHighlighted : worthShowing) && (highlighted || !selection))
        links.push({ row, column, weight, highlighted });
    }
  }
  return links.sort((a, b) => a.weight - b.weight);
}

/** An SVG path from the lower edge of a source word to the upper edge of a target word. */
export function linkPath(source: Box, target: Box): string {
  const [x1, y1] = [source.x + source.width / 2, source.y + source.height];
  const [x2, y2] = [target.x + target.width / 2, target.y];
  const bend = Math.max(12, (y2 - y1) * 0.55);
  return `M${round(x1)} ${round(y1)}C${round(x1)} ${round(y1 + bend)} ${round(x2)} ${round(y2 - bend)} ${round(x2)} ${round(y2)}`;
}

/** Width of a link's stroke in CSS pixels: proportional to the weight. */
export function linkWidth(weight: number): number {
  return round(Math.max(0.5, 9 * weight));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
