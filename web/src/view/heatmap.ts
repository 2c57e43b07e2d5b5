import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { define } from '../define.ts';
import { drawHeatmap, type Look } from './draw.ts';
import { SelectEvent } from './events.ts';
import { figureSvg, layOutView } from './figure.ts';
import { cellBox, type HeatmapLayout, hit, scrollTo } from './layout.ts';
import { ruler } from './pen.ts';
import { ramp } from './ramp.ts';
import { move, type Selection, sameSelection } from './selection.ts';
import { visuallyHidden } from './styles.ts';
import { alignmentTable } from './table.ts';
import type { AlignmentView } from './units.ts';

/** Of larger ones the part in sight is printed. */
const mostPrintedCells = 20_000;

/**
 * The heatmap: source words across, target words down. The canvas covers only the visible part and is redrawn while the
 * reader scrolls, so that labels stay in sight and a long sentence takes no more memory than a short one.
 */
export class SoftAlignHeatmap extends LitElement {
  static override styles = [
    visuallyHidden,
    css`
      :host { display: block; min-inline-size: 0; }
      .scroller {
        max-block-size: var(--soft-align-map-max-height, min(85vh, 60rem));
        overflow: auto; overscroll-behavior-x: contain; border-radius: 6px; direction: ltr;
        scrollbar-width: thin; scrollbar-color: var(--_line) transparent;
      }
      .scroller:focus-visible { outline: 2px solid var(--_accent); outline-offset: 4px; }
      canvas {
        position: sticky; inset-block-start: 0; inset-inline-start: 0; display: block; cursor: crosshair;
        /* Never seen: this is how the canvas learns the colours. */
        color: var(--_ink); background-color: var(--_surface); outline-color: var(--_accent);
        border-color: var(--_muted);
      }
      .paper svg { display: block; max-inline-size: 100%; block-size: auto; max-block-size: 24cm; break-inside: avoid; }
      :host([data-printed]) .scroller { display: none; }
      .note { font-size: 0.9em; color: var(--_muted); }
    `,
  ];

  @property({ attribute: false }) view: AlignmentView = { source: [], target: [], weights: new Float32Array() };
  @property({ attribute: false }) selection: Selection | null = null;
  @property({ type: Boolean }) dark = false;
  /** Whether the whole of it stands in place of what is scrolled into sight. */
  @property({ attribute: false }) printing = false;

  @state() private room = 0;
  @query('.scroller') private scroller!: HTMLElement;
  @query('.extent') private extent!: HTMLElement;
  @query('canvas') private canvas!: HTMLCanvasElement;
  @query('.paper') private paper!: HTMLElement;

  private layout: HeatmapLayout | undefined;
  private readonly resizes = new ResizeObserver(() => {
    this.room = this.clientWidth;
    this.draw();
  });
  private resolution: MediaQueryList | undefined;

  /** Where a cell lies on the page, in CSS pixels, whether or not it is scrolled into view. */
  cellRectangle(row: number, column: number): DOMRect | undefined {
    if (!this.layout) return undefined;
    const box = cellBox(this.layout, row, column);
    const frame = this.scroller.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.scroller;
    return new DOMRect(frame.x + box.x - scrollLeft, frame.y + box.y - scrollTop, box.width, box.height);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizes.observe(this);
    if (this.hasUpdated) this.resizes.observe(this.scroller);
    this.watchPixelRatio();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes.disconnect();
    this.resolution?.removeEventListener('change', this.pixelRatioChanged);
  }

  protected override render() {
    this.layout = this.room > 0 ? this.measure() : undefined;
    return html`
      <div
        class="scroller" tabindex="0" role="group" aria-roledescription="heatmap"
        aria-label="Heatmap of the alignment: the arrow keys move, Escape lets go"
        @keydown=${this.onKey} @focus=${this.onFocus} @scroll=${this.draw}
        @pointermove=${this.onPointer} @pointerdown=${this.onPress} @pointerleave=${this.onLeave}
      >
        <div class="extent">
          <canvas part="canvas" aria-hidden="true"></canvas>
        </div>
      </div>
      <div class="paper"></div>
      ${
        this.printing && this.vast
          ? html`<p class="note" lang="en" dir="ltr">This is a part of the heatmap, which is too large for paper: save it as a picture.</p>`
          : nothing
      }
      <div class="visually-hidden">${this.view.weights.length > 0 ? alignmentTable(this.view) : nothing}</div>
    `;
  }

  protected override firstUpdated(): void {
    this.resizes.observe(this.scroller);
  }

  protected override updated(changed: PropertyValues<this>): void {
    // Not as an attribute, which a strict Content Security Policy forbids.
    this.extent.style.width = `${this.layout?.width ?? 0}px`;
    this.extent.style.height = `${this.layout?.height ?? 0}px`;
    if (this.printing || changed.has('printing')) this.print();
    if (changed.has('view')) this.scroller.scrollTo(this.layout?.rightToLeft ? this.layout.width : 0, 0);
    this.draw();
  }

  /** Whether it has more cells than paper can show. */
  private get vast(): boolean {
    return this.view.weights.length > mostPrintedCells;
  }

  /** The whole heatmap as a drawing that takes the room there is. */
  private print(): void {
    const whole = this.printing && !this.vast;
    this.paper.replaceChildren();
    this.toggleAttribute('data-printed', whole);
    if (!whole) return;
    const drawn = new DOMParser().parseFromString(figureSvg(this.view, this.look(), ''), 'image/svg+xml');
    this.paper.append(document.importNode(drawn.documentElement, true));
  }

  private measure(): HeatmapLayout {
    const { fontFamily, fontSize } = getComputedStyle(this);
    const font = { family: fontFamily, fontSize: Number.parseFloat(fontSize) };
    return layOutView(this.view, font, this.room, ruler());
  }

  /** The colours and the font that it is drawn with. */
  look(): Look {
    const style = getComputedStyle(this.canvas);
    const hue = Number.parseFloat(style.getPropertyValue('--soft-align-hue')) || 282;
    return {
      ramp: ramp(hue, this.dark),
      text: style.color,
      muted: style.borderTopColor,
      surface: style.backgroundColor,
      accent: style.outlineColor,
      family: style.fontFamily,
      fontSize: Number.parseFloat(style.fontSize),
    };
  }

  private readonly draw = (): void => {
    const { layout, canvas, scroller } = this;
    if (!layout || !canvas) return;
    const pixelRatio = devicePixelRatio;
    // Whole device pixels, or the browser would stretch the picture and blur it.
    const width = Math.floor(scroller.clientWidth * pixelRatio);
    const height = Math.floor(scroller.clientHeight * pixelRatio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${width / pixelRatio}px`;
      canvas.style.height = `${height / pixelRatio}px`;
    }
    const context = canvas.getContext('2d');
    if (!context) return;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    drawHeatmap(context, {
      view: this.view,
      layout,
      look: this.look(),
      selection: this.selection,
      scroll: { x: scroller.scrollLeft, y: scroller.scrollTop },
      width: width / pixelRatio,
      height: height / pixelRatio,
      pixelRatio,
    });
  };

  private select(selection: Selection | null, hold = false): void {
    if (!sameSelection(selection, this.selection)) this.dispatchEvent(new SelectEvent(selection, { hold }));
  }

  private onPress(event: PointerEvent): void {
    const pressed = this.at(event);
    if (pressed) this.dispatchEvent(new SelectEvent(pressed, { hold: true }));
  }

  private onPointer(event: PointerEvent): void {
    this.select(this.at(event));
  }

  private at(event: PointerEvent): Selection | null {
    if (!this.layout) return null;
    const frame = this.scroller.getBoundingClientRect();
    const scroll = { x: this.scroller.scrollLeft, y: this.scroller.scrollTop };
    return hit(this.layout, { x: event.clientX - frame.x, y: event.clientY - frame.y }, scroll);
  }

  /** A finger that lifts also leaves, but what it touched should stay highlighted. */
  private onLeave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') this.select(null);
  }

  private onFocus(): void {
    if (!this.selection && this.scroller.matches(':focus-visible') && this.layout?.rows)
      this.select({ row: 0, column: null }, true);
  }

  private onKey(event: KeyboardEvent): void {
    const { layout } = this;
    if (!layout || event.ctrlKey || event.altKey || event.metaKey) return;
    const selection = move(this.selection, event.key, layout);
    if (selection === undefined) return;
    event.preventDefault();
    this.select(selection, true);
    if (selection) this.reveal(selection);
  }

  /** Scrolls far enough to show a row, a column or a cell. */
  reveal(selection: Selection): void {
    const { layout } = this;
    if (!layout) return;
    const { scrollLeft: x, scrollTop: y, clientWidth: width, clientHeight: height } = this.scroller;
    const to = scrollTo(layout, selection, { x, y }, { width, height });
    this.scroller.scrollTo(to.x, to.y);
  }

  private watchPixelRatio(): void {
    this.resolution?.removeEventListener('change', this.pixelRatioChanged);
    this.resolution = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.resolution.addEventListener('change', this.pixelRatioChanged);
  }

  private readonly pixelRatioChanged = (): void => {
    this.watchPixelRatio();
    this.draw();
  };
}

define('soft-align-heatmap', SoftAlignHeatmap);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align-heatmap': SoftAlignHeatmap;
  }
}
