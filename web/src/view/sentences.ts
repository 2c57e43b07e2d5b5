import { css, html, LitElement, svg } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { define } from '../define.ts';
import { SelectEvent } from './events.ts';
import type { Box } from './layout.ts';
import { type Link, linkPath, linksOf, linkWidth } from './links.ts';
import type { Selection } from './selection.ts';
import type { AlignmentView, Unit } from './units.ts';

type Side = 'source' | 'target';

/** Up to this many lines, the links of the two sentences are drawn without a selection. */
const mostLines = 3;

/** The two sentences, one above the other, with curves between the words as thick as the weights. */
export class SoftAlignSentences extends LitElement {
  static override styles = css`
    :host { display: block; position: relative; }
    p { margin: 0; line-height: 1.9; overflow-wrap: anywhere; position: relative; }
    .source { margin-block-end: var(--soft-align-link-height, 4.5rem); }
    .word {
      padding: 0.1em 0.22em; margin-inline: -0.09em; border-radius: 0.35em;
      position: relative; cursor: default; transition: background-color 120ms, color 120ms, opacity 120ms;
    }
    /* Curves to another line run behind this one. */
    .line { padding-block: 0.2em; background: var(--_surface); box-decoration-break: clone; -webkit-box-decoration-break: clone; }
    .selecting .line { background: none; }
    .glued { margin-inline-start: -0.33em; }
    .selecting .word { opacity: 0.45; }
    .selecting .word.highlighted { opacity: 1; background: var(--_tint); }
    .selecting .word.chosen { background: var(--_accent); color: var(--_on-accent); }
    .imposed { text-decoration: underline dotted 2px var(--_imposed); text-underline-offset: 0.3em; }
    svg { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; overflow: visible; pointer-events: none; }
    path { fill: none; stroke: var(--_accent); stroke-linecap: round; }
    @media (prefers-reduced-motion: reduce) { .word { transition: none; } }
    @media (forced-colors: active) {
      .selecting .word.highlighted { outline: 1px solid; }
      .selecting .word.chosen { outline: 3px solid; }
    }
  `;

  @property({ attribute: false }) view: AlignmentView = { source: [], target: [], weights: new Float32Array() };
  @property({ attribute: false }) selection: Selection | null = null;
  /** Target tokens on which something was imposed. */
  @property({ attribute: false }) imposed: ReadonlySet<number> = new Set();
  /** BCP 47 tags of the two languages, if they are known. */
  @property({ attribute: false }) languages: Partial<Record<Side, string>> = {};

  /** Whether it is measured for paper. */
  @property({ attribute: false }) printing = false;

  @state() private boxes: Record<Side, (Box | undefined)[]> = { source: [], target: [] };
  private readonly resizes = new ResizeObserver(() => this.measure());

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes.disconnect();
  }

  protected override render() {
    const links = !this.selection && this.crowded() ? [] : linksOf(this.view, this.selection);
    return html`
      <div class=${classMap({ selecting: this.selection !== null })} @pointerleave=${this.onLeave}>
        <svg aria-hidden="true">${links.map((link) => this.curve(link))}</svg>
        ${this.sentence('source', links)}
        ${this.sentence('target', links)}
      </div>
    `;
  }

  protected override updated(): void {
    this.measure();
  }

  private sentence(side: Side, links: readonly Link[]) {
    // The words at the other end of the selected word's strong links are highlighted with it.
    const highlighted = new Set(
      links.filter((link) => link.highlighted && link.weight >= 0.1).map((link) => place(link, side)),
    );
    return html`<p class=${side} part=${side} dir="auto" translate="no" lang=${this.languages[side] ?? ''}>
      <span class="line">${this.view[side].map((unit, index) => (unit.special ? '' : this.word(side, unit, index, highlighted.has(index))))}</span>
    </p>`;
  }

  private word(side: Side, unit: Unit, index: number, highlighted: boolean) {
    const chosen = this.selection !== null && place(this.selection, side) === index;
    const imposed = side === 'target' && unit.tokens.some((token) => this.imposed.has(token));
    const selection = side === 'target' ? { row: index, column: null } : { row: null, column: index };
    const select = (hold: boolean) => this.dispatchEvent(new SelectEvent(selection, { hold }));
    return html`${unit.startsWord && index > 0 ? ' ' : ''}<span
        class=${classMap({ word: true, glued: !unit.startsWord && index > 0, highlighted: highlighted || chosen, chosen, imposed })}
        data-index=${index}
        @pointerenter=${() => select(false)}
        @pointerdown=${() => select(true)}
        >${unit.text}</span
      >`;
  }

  private curve({ row, column, weight, highlighted }: Link) {
    const source = this.boxes.source[column];
    const target = this.boxes.target[row];
    if (!source || !target) return '';
    const opacity = highlighted ? 0.35 + 0.55 * weight : 0.1 + 0.3 * weight;
    return svg`<path d=${linkPath(source, target)} stroke-width=${linkWidth(weight)} opacity=${opacity}></path>`;
  }

  /** On many lines, links without a selection would run through the words. */
  private crowded(): boolean {
    const lines = (boxes: (Box | undefined)[]) => new Set(boxes.flatMap((box) => box?.y ?? [])).size;
    return lines(this.boxes.source) + lines(this.boxes.target) > mostLines;
  }

  private measure(): void {
    const frame = this.getBoundingClientRect();
    const measured = { source: this.measureSide('source', frame), target: this.measureSide('target', frame) };
    if (JSON.stringify(measured) !== JSON.stringify(this.boxes)) this.boxes = measured;
  }

  private measureSide(side: Side, frame: DOMRect): (Box | undefined)[] {
    const boxes: (Box | undefined)[] = [];
    for (const word of this.renderRoot.querySelectorAll<HTMLElement>(`.${side} .word`)) {
      const { x, y, width, height } = word.getBoundingClientRect();
      boxes[Number(word.dataset.index)] = { x: x - frame.x, y: y - frame.y, width, height };
    }
    return boxes;
  }

  private onLeave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') this.dispatchEvent(new SelectEvent(null));
  }
}

function place({ row, column }: Selection, side: Side): number | null {
  return side === 'target' ? row : column;
}

define('soft-align-sentences', SoftAlignSentences);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align-sentences': SoftAlignSentences;
  }
}
