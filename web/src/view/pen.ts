/** What the heatmap is drawn with: a canvas, or something that records what a canvas would show. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'clip'
  | 'fillRect'
  | 'fillText'
  | 'measureText'
  | 'rect'
  | 'restore'
  | 'rotate'
  | 'save'
  | 'strokeRect'
  | 'translate'
> & {
  fillStyle: CanvasRenderingContext2D['fillStyle'];
  strokeStyle: CanvasRenderingContext2D['strokeStyle'];
  font: string;
  globalAlpha: number;
  lineWidth: number;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
};

/** Measures texts in a font. */
export type Ruler = Pick<CanvasRenderingContext2D, 'font' | 'measureText'>;

export function ruler(): Ruler {
  return document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
}
