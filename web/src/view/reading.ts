import { css, html, LitElement, nothing, type PropertyValues, svg } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { live } from 'lit/directives/live.js';
import { define } from '../define.ts';
import { isRightToLeft } from './direction.ts';
import { ImposeEvent } from './events.ts';
import { sameShares, softmax, withShare } from './shares.ts';
import { panelStyles } from './styles.ts';
import { percent } from './tell.ts';
import type { Unit } from './units.ts';

/** Parts of the blend from this share on are wide enough for their word. */
const namedPart = 0.09;

/** What one step read: the score of every source token, its share, and the resulting blend. The shares can be dragged. */
export class SoftAlignReading extends LitElement {
  static override styles = [
    panelStyles,
    css`
      :host { container-type: inline-size; padding: 0; border: 0; font-size: 1em; }
      .scroller { max-block-size: 23em; overflow-y: auto; scrollbar-width: thin; scrollbar-color: var(--_line) transparent; }
      table { inline-size: 100%; table-layout: fixed; border-collapse: collapse; font-variant-numeric: tabular-nums; direction: ltr; }
      thead :is(th, td) {
        position: sticky; inset-block-start: 0; z-index: 2; padding-block: 0 0.35em; background: var(--_surface);
        font-size: 0.9em; font-weight: 500; color: var(--_muted); text-align: start; vertical-align: bottom; line-height: 1.3;
      }
      th, td { padding: 0 0.9em 0 0; line-height: 1.72; }
      .word { inline-size: 27%; }
      tbody th { font-weight: 400; text-align: start; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .strongest th { font-weight: 600; color: var(--_accent); }
      .score { inline-size: 6.1em; white-space: nowrap; }
      .score span { display: inline-block; inline-size: 3.4em; text-align: end; }
      .score svg { inline-size: 1.9em; block-size: 0.75em; margin-inline-start: 0.5em; overflow: visible; }
      .score line { stroke: var(--_line); stroke-width: 2; }
      circle { fill: var(--_muted); }
      .percent { inline-size: 3em; padding-inline-end: 0.3em; text-align: end; }
      .share { position: relative; }
      .share svg { display: block; inline-size: 100%; block-size: 0.75em; border-radius: 3px; background: var(--_tint); }
      .share rect { fill: var(--_accent); height: 100%; }
      .imposed rect { fill: var(--_imposed); }
      .share line { stroke: var(--_ink); stroke-width: 2; }
      .share input {
        appearance: none; position: absolute; inset: 0 0.9em 0 0; inline-size: calc(100% - 0.9em); block-size: 100%; margin: 0;
        background: none; cursor: ew-resize; touch-action: pan-y;
      }
      input::-webkit-slider-thumb {
        appearance: none; inline-size: 6px; block-size: 1.25em; border: 0; border-radius: 3px; background: var(--_accent);
        box-shadow: 0 0 0 2px var(--_surface);
      }
      input::-moz-range-thumb {
        inline-size: 6px; block-size: 1.25em; border: 0; border-radius: 3px; background: var(--_accent);
        box-shadow: 0 0 0 2px var(--_surface);
      }
      .imposed input::-webkit-slider-thumb { background: var(--_imposed); }
      .imposed input::-moz-range-thumb { background: var(--_imposed); }
      .blend { display: flex; gap: 2px; block-size: 2em; border-radius: 6px; overflow: hidden; font-size: 0.9em; }
      .blend span {
        flex: 1 1 0; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: center;
        line-height: 2.2em; padding-inline: 0.15em; background: var(--_tint);
      }
      @media print { .scroller { max-block-size: none; } }
      /* What only colour says; without it, words would float. */
      @media (forced-colors: active) {
        .blend { forced-color-adjust: none; color: var(--_ink); }
      }
      .context { margin-block-start: 1.1em; }
      @container (max-width: 24rem) {
        .score { inline-size: 3.8em; }
        .score svg { display: none; }
      }
      .hint { margin: 0.5em 0 0; font-size: 0.9em; color: var(--_muted); }
    `,
  ];

  /** The source tokens. */
  @property({ attribute: false }) source: readonly Unit[] = [];
  /** The share of each. */
  @property({ attribute: false }) weights: Float32Array = new Float32Array();
  /** The scores before the softmax; undefined until they are known. */
  @property({ attribute: false }) energies: Float32Array | undefined;
  /** Whether the shares were imposed instead of being the softmax of the scores. */
  @property({ attribute: false }) imposed = false;
  /** Whether the reader may change the shares. */
  @property({ attribute: false }) changeable = false;

  /** What the reader drags, until a translation has read it. */
  @state() private dragged: Float32Array | undefined;
  /** The one slider that Tab leads to. */
  @state() private current = 0;
  @query('.scroller') private scroller!: HTMLElement;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const arrived = this.dragged && sameShares(this.dragged, this.weights);
    const restored = changed.get('imposed') === true && !this.imposed;
    if (changed.has('source') || arrived || restored) this.dragged = undefined;
  }

  /** Forgets what was dragged, and brings the strongest share into sight. */
  showStrongest(): void {
    this.dragged = undefined;
    this.current = strongest(this.weights);
    const row = this.renderRoot.querySelectorAll<HTMLElement>('tbody tr')[this.current];
    if (!row) return;
    const middle = row.offsetTop - (this.scroller.clientHeight - row.offsetHeight) / 2;
    this.scroller.scrollTo(0, middle);
  }

  protected override render() {
    const shares = this.dragged ?? this.weights;
    const imposed = this.imposed || this.dragged !== undefined;
    const own = imposed && this.energies ? softmax(this.energies) : undefined;
    return html`
      <div class=${classMap({ scroller: true, imposed })}>
        <table>
          <thead><tr>
            <th class="word" scope="col">Source</th>
            <th class="score" scope="col">Score <i>e</i></th>
            <th scope="col">Share <i>α</i> = softmax of the scores</th>
            <td class="percent"></td>
          </tr></thead>
          <tbody @keydown=${this.onKey}>${this.source.map((unit, index) => this.row(unit, index, shares, own))}</tbody>
        </table>
      </div>
      ${this.changeable && this.source.length > 1 ? html`<p class="hint">${this.hint(imposed)}</p>` : nothing}
      <div class="context" role="group" aria-labelledby="blend">
        <p class="caption" id="blend">Context <i>c</i> = Σ <i>α h</i>: the blend of the words’ states that it read</p>
        <div class="blend" dir=${isRightToLeft(this.source.map(({ text }) => text).join(' ')) ? 'rtl' : 'ltr'}>${this.source.map((unit, index) => part(unit, shares[index] ?? 0))}</div>
      </div>
    `;
  }

  private hint(imposed: boolean): string {
    return imposed
      ? 'The marks show the model’s own shares.'
      : 'Drag a share, and the model rewrites the rest from here.';
  }

  private row(unit: Unit, index: number, shares: Float32Array, own: Float32Array | undefined) {
    const share = shares[index] ?? 0;
    return html`<tr class=${classMap({ strongest: index === strongest(shares) })}>
      <th scope="row" title=${unit.text}>${unit.text}</th>
      <td class="score">${this.score(index)}</td>
      <td class="share">
        <svg aria-hidden="true">
          <rect width="${(100 * share).toFixed(1)}%"></rect>
          ${own ? mark(own[index] ?? 0) : nothing}
        </svg>
        ${
          this.changeable && this.source.length > 1
            ? html`<input
                type="range" min="0" max="100" step="1" aria-label=${`Share of ${unit.text}`} tabindex=${index === this.current ? 0 : -1}
                .value=${live(String(Math.round(100 * share)))} @input=${(event: Event) => this.onDrag(event, index)}
              />`
            : nothing
        }
      </td>
      <td class="percent">${share < 0.005 ? (share > 0 ? '<1%' : '0%') : percent(share)}</td>
    </tr>`;
  }

  private score(index: number) {
    const { energies } = this;
    const energy = energies?.[index];
    if (!energies || energy === undefined) return '…';
    const [least, most] = [Math.min(...energies), Math.max(...energies)];
    const place = most > least ? (energy - least) / (most - least) : 1;
    return html`<span>${energy.toFixed(2).replace('-', '−')}</span><svg aria-hidden="true">
      <line x1="0" x2="100%" y1="50%" y2="50%"></line><circle cx="${(100 * place).toFixed(1)}%" cy="50%" r="3.5"></circle>
    </svg>`;
  }

  private onDrag({ target }: Event, index: number): void {
    const value = Number((target as HTMLInputElement).value) / 100;
    this.current = index;
    this.dragged = withShare(this.dragged ?? this.weights, index, value);
    this.dispatchEvent(new ImposeEvent(this.dragged));
  }

  /** Left and right change a share; up and down go to another one. */
  private onKey(event: KeyboardEvent): void {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const sliders = this.renderRoot.querySelectorAll<HTMLInputElement>('input');
    this.current = Math.min(Math.max(this.current + way, 0), sliders.length - 1);
    sliders[this.current]?.focus();
  }
}

function part({ text }: Unit, share: number) {
  if (share < 0.005) return nothing;
  const tint = `color-mix(in oklab, var(--_accent) ${Math.round(12 + 42 * share)}%, var(--_surface))`;
  // By the object model, since a strict Content Security Policy forbids style attributes.
  return html`<span title="${text} ${percent(share)}" .style=${`flex-grow: ${share}; background: ${tint}`}>${share >= namedPart ? text : ''}</span>`;
}

function mark(share: number) {
  const x = `${(100 * share).toFixed(1)}%`;
  return svg`<line x1=${x} x2=${x} y1="0" y2="100%"></line>`;
}

function strongest(shares: Float32Array): number {
  return shares.indexOf(Math.max(...shares));
}

define('soft-align-reading', SoftAlignReading);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align-reading': SoftAlignReading;
  }
}
