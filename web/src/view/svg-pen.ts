import type { Pen, Ruler } from './pen.ts';

interface State {
  readonly transform: string;
  readonly style: Pick<
    Pen,
    'fillStyle' | 'strokeStyle' | 'lineWidth' | 'globalAlpha' | 'font' | 'textAlign' | 'textBaseline'
  >;
}

const anchors: Partial<Record<CanvasTextAlign, string>> = { center: 'middle', right: 'end', end: 'end' };

/** Writes what it draws as SVG, so that a file shows what the canvas shows. */
export class SvgPen implements Pen {
  fillStyle: Pen['fillStyle'] = '#000';
  strokeStyle: Pen['strokeStyle'] = '#000';
  lineWidth = 1;
  globalAlpha = 1;
  font = '10px sans-serif';
  textAlign: CanvasTextAlign = 'start';
  textBaseline: CanvasTextBaseline = 'alphabetic';

  private readonly written: string[] = [];
  private readonly saved: State[] = [];
  private transform = '';

  constructor(private readonly ruler: Ruler) {}

  /** The whole file. @param title what a screen reader says instead of the picture */
  document(width: number, height: number, title: string): string {
    const size = attributes({ width, height, viewBox: `0 0 ${width} ${height}` });
    const head = `<svg xmlns="http://www.w3.org/2000/svg"${size} role="img">\n<title>${escapeXml(title)}</title>`;
    return `${head}\n${this.written.join('\n')}\n</svg>\n`;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.write('rect', { x, y, width, height, fill: this.fillStyle, opacity: this.opacity() });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const stroke = { stroke: this.strokeStyle, 'stroke-width': this.lineWidth, opacity: this.opacity() };
    this.write('rect', { x, y, width, height, fill: 'none', ...stroke });
  }

  fillText(text: string, x: number, y: number): void {
    const [, weight, size, family] = /^(?:(\S+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [];
    const shown = {
      x,
      y,
      // Not dominant-baseline, which drawing programs and office suites do not know.
      dy: this.textBaseline === 'middle' ? '0.35em' : undefined,
      'text-anchor': anchors[this.textAlign],
      'font-family': family,
      'font-size': size,
      'font-weight': weight === 'normal' ? undefined : weight,
      fill: this.fillStyle,
      opacity: this.opacity(),
    };
    this.write('text', shown, escapeXml(text));
  }

  measureText(text: string): TextMetrics {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline } = this;
    const style = { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline };
    this.saved.push({ transform: this.transform, style });
  }

  restore(): void {
    const state = this.saved.pop();
    if (!state) return;
    this.transform = state.transform;
    Object.assign(this, state.style);
  }

  translate(x: number, y: number): void {
    this.transform += `translate(${round(x)} ${round(y)})`;
  }

  rotate(radians: number): void {
    this.transform += `rotate(${round((radians * 180) / Math.PI)})`;
  }

  // Clipping keeps scrolled cells from running over the labels; a whole picture is not scrolled.
  beginPath(): void {}
  rect(): void {}
  clip(): void {}

  private opacity(): number | undefined {
    return this.globalAlpha === 1 ? undefined : this.globalAlpha;
  }

  private write(name: string, values: Parameters<typeof attributes>[0], content = ''): void {
    const head = `<${name}${attributes({ ...values, transform: this.transform || undefined })}`;
    this.written.push(content ? `${head}>${content}</${name}>` : `${head}/>`);
  }
}

function attributes(values: Record<string, unknown>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(typeof value === 'number' ? round(value) : value))}"`)
    .join('');
}

/** Characters that XML forbids, even escaped, are left out. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
