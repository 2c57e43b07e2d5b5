import { css, html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { define } from '../define.ts';
import type { Alternative } from '../translation.ts';
import { percent } from './tell.ts';
import { type AlignmentView, readable, weightAt } from './units.ts';

/** The reader wants to see another step, or the steps by themselves. */
export class StepEvent extends Event {
  constructor(readonly to: number | 'play' | 'pause') {
    super('step');
  }
}

/** Shares below this are left out, and so are those behind the largest few. */
const worthABar = 0.01;
const mostBars = 5;

/** One step of the decoder: what it read, and what it could have written next. */
export class SoftAlignStep extends LitElement {
  static override styles = css`
    :host { display: block; padding: 1em 1.2em 1.1em; border: 1px solid var(--_line); border-radius: 10px; font-size: 0.95em; }
    .buttons { display: flex; flex-wrap: wrap; gap: 0.5em; align-items: center; margin-block-end: 0.9em; }
    .count { margin-inline-start: auto; color: var(--_muted); font-variant-numeric: tabular-nums; }
    button {
      padding: 0.3em 0.8em; border: 1px solid var(--_line); border-radius: 8px; font: inherit; color: var(--_ink);
      background: none; cursor: pointer;
    }
    button:hover:not(:disabled) { border-color: var(--_accent); }
    button:disabled { color: var(--_muted); cursor: default; }
    button:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
    .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr)); gap: 1em 2em; }
    .caption { margin: 0 0 0.5em; font-size: 0.9em; font-weight: 500; color: var(--_muted); }
    ol { margin: 0; padding: 0; list-style: none; min-block-size: 8.4em; }
    li { display: grid; grid-template-columns: minmax(0, 5em) minmax(0, 1fr) 2.9em; gap: 0.6em; align-items: center; line-height: 1.68; }
    li span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    li span:last-child { text-align: end; font-variant-numeric: tabular-nums; }
    .written { color: var(--_accent); font-weight: 600; }
    svg { inline-size: 100%; block-size: 0.75em; border-radius: 3px; background: var(--_tint); }
    rect { fill: var(--_accent); height: 100%; transition: width 250ms; }
    @media (prefers-reduced-motion: reduce) { rect { transition: none; } }
  `;

  /** Of pieces, which are the decoder's steps. */
  @property({ attribute: false }) view: AlignmentView = { source: [], target: [], weights: new Float32Array() };
  @property({ attribute: false }) step = 0;
  @property({ attribute: false }) alternatives: readonly Alternative[] | undefined;
  @property({ attribute: false }) playing = false;
  /** The token that the translation has at this step. */
  @property({ attribute: false }) written = -1;

  protected override render() {
    const last = this.view.target.length - 1;
    const { step, playing } = this;
    return html`<div role="group" aria-label="One step at a time: the arrow keys go back and on" @keydown=${this.onKey}>
      <div class="buttons">
        <button type="button" ?disabled=${step <= 0} @click=${() => this.ask(step - 1)}>Back</button>
        <button type="button" ?disabled=${step >= last} @click=${() => this.ask(step + 1)}>Next</button>
        <button type="button" @click=${() => this.ask(playing ? 'pause' : 'play')}>${playing ? 'Pause' : 'Play'}</button>
        <span class="count" aria-live="polite">Step ${step + 1} of ${last + 1}</span>
      </div>
      <div class="columns">
        ${this.view.weights.length > 0 ? this.context() : nothing}
        <div role="group" aria-labelledby="next">
          <p class="caption" id="next">Then it wrote one of these</p>
          ${
            this.alternatives
              ? html`<ol>${this.alternatives.map((word) => bar(readable(word), word.probability, word.id === this.written))}</ol>`
              : html`<ol><li>…</li></ol>`
          }
        </div>
      </div>
    </div>`;
  }

  /** The context vector is the blend of the source positions' states by these weights. */
  private context() {
    const shares = this.view.source
      .map((unit, column) => ({ unit, column, weight: weightAt(this.view, this.step, column) }))
      .filter(({ weight }) => weight >= worthABar)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, mostBars)
      .sort((a, b) => a.column - b.column);
    const rest = 1 - shares.reduce((sum, { weight }) => sum + weight, 0);
    return html`<div role="group" aria-labelledby="read">
      <p class="caption" id="read">It read this blend</p>
      <ol>
        ${shares.map(({ unit, weight }) => bar(unit.text, weight, false))}
        ${rest >= worthABar ? bar('the rest', rest, false) : nothing}
      </ol>
    </div>`;
  }

  private ask(to: StepEvent['to']): void {
    this.dispatchEvent(new StepEvent(to));
  }

  private onKey(event: KeyboardEvent): void {
    const to = { ArrowLeft: this.step - 1, ArrowRight: this.step + 1, Home: 0, End: this.view.target.length - 1 }[
      event.key
    ];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.ask(to);
  }
}

function bar(text: string, share: number, written: boolean) {
  return html`<li class=${classMap({ written })}>
    <span>${text}${written ? html` <b aria-label="written">✓</b>` : nothing}</span>
    <svg aria-hidden="true"><rect width="${(100 * share).toFixed(1)}%"></rect></svg>
    <span>${share < 0.005 ? '<1%' : percent(share)}</span>
  </li>`;
}

define('soft-align-step', SoftAlignStep);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align-step': SoftAlignStep;
  }
}
