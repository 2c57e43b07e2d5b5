import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, query } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { define } from '../define.ts';
import type { Alternative, DecodingStep } from '../translation.ts';
import './reading.ts';
import { ImposeEvent, StepEvent } from './events.ts';
import type { SoftAlignReading } from './reading.ts';
import { panelStyles, visuallyHidden } from './styles.ts';
import { percent } from './tell.ts';
import { type AlignmentView, readable } from './units.ts';

/** One step of the decoder: what it read, and what it could have written, from which the reader may choose. */
export class SoftAlignStep extends LitElement {
  static override styles = [
    visuallyHidden,
    panelStyles,
    css`
      .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1.5em 2.5em; }
      ol { margin: 0; padding: 0; list-style: none; min-block-size: 10.6em; }
      ol button {
        display: grid; grid-template-columns: minmax(0, 7em) minmax(0, 1fr) 3.2em; gap: 0.6em; align-items: center;
        inline-size: 100%; padding: 0.16em 0.6em; margin-inline-start: -0.6em; border-color: transparent; text-align: start;
      }
      ol button:disabled { color: inherit; }
      ol span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      ol span:last-child { text-align: end; font-variant-numeric: tabular-nums; }
      [aria-pressed='true'] { color: var(--_accent); font-weight: 600; }
      .imposed [aria-pressed='true'] { color: var(--_imposed); }
      svg { inline-size: 100%; block-size: 0.75em; border-radius: 3px; background: var(--_tint); }
      rect { fill: var(--_accent); height: 100%; transition: width 200ms; }
      .imposed [aria-pressed='true'] rect { fill: var(--_imposed); }
      .typed { display: flex; flex-wrap: wrap; gap: 0.5em; margin-block-start: 0.6em; }
      label { flex: 1 1 8em; }
      input { box-sizing: border-box; inline-size: 100%; }
      ::placeholder { color: var(--_muted); opacity: 1; }
      @media print { .typed { display: none; } }
      @media (prefers-reduced-motion: reduce) { rect { transition: none; } }
    `,
  ];

  /** Of pieces, which are the decoder's steps. */
  @property({ attribute: false }) view: AlignmentView = { source: [], target: [], weights: new Float32Array() };
  @property({ attribute: false }) step = 0;
  /** Undefined until it is known. */
  @property({ attribute: false }) details: DecodingStep | undefined;
  @property({ attribute: false }) playing = false;
  /** The token that the translation has at this step, with its probability. */
  @property({ attribute: false }) written: Alternative | undefined;
  /** Whether the token of this step, and its weights, were imposed. */
  @property({ attribute: false }) imposed = { word: false, weights: false };
  /** Whether the reader may impose others. */
  @property({ attribute: false }) changeable = false;

  @query('soft-align-reading') private reading!: SoftAlignReading | null;

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
        ${this.words()}
      </div>
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('step')) this.reading?.updateComplete.then(() => this.reading?.showStrongest());
  }

  private context() {
    const { source, weights } = this.view;
    const row = weights.subarray(this.step * source.length, (this.step + 1) * source.length);
    return html`<soft-align-reading
      .source=${source} .weights=${row} .energies=${this.details?.energies} .imposed=${this.imposed.weights}
      .changeable=${this.changeable} @impose=${({ imposed }: ImposeEvent) => this.impose(imposed)}
    ></soft-align-reading>`;
  }

  private words() {
    const { written, details } = this;
    const words = [...(details?.alternatives ?? [])];
    // A search that keeps several, or a reader, may have written one that was not among the likeliest.
    if (details && written && !words.some(({ id }) => id === written.id)) words.push(written);
    return html`<div class=${classMap({ imposed: this.imposed.word })} role="group" aria-labelledby="next">
      <p class="caption" id="next">Most likely next</p>
      <ol>${words.length > 0 ? words.map((word) => this.word(word)) : html`<li>…</li>`}</ol>
      ${this.changeable ? this.typed() : nothing}
    </div>`;
  }

  private word(word: Alternative) {
    const written = word.id === this.written?.id;
    const action = written ? 'Written' : 'Write this instead, and let the model rewrite the rest';
    return html`<li><button
      type="button" aria-pressed=${written} title=${action} ?disabled=${!this.changeable} @click=${() => written || this.impose(word)}
    >
      <span>${readable(word)}${written ? html` <b aria-hidden="true">✓</b>` : nothing}</span>
      <svg aria-hidden="true"><rect width="${(100 * word.probability).toFixed(1)}%"></rect></svg>
      <span>${word.probability < 0.005 ? '<1%' : percent(word.probability)}</span>
    </button></li>`;
  }

  private typed() {
    // Not a form, which a sandboxed frame must not submit.
    return html`<div class="typed">
      <label>
        <span class="visually-hidden">Another word to write instead</span>
        <input type="text" autocomplete="off" spellcheck="false" placeholder="another word" @keydown=${this.onTyped} />
      </label>
      <button type="button" @click=${this.writeTyped}>Write it</button>
    </div>`;
  }

  private onTyped(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.isComposing) this.writeTyped();
  }

  private writeTyped(): void {
    const input = this.renderRoot.querySelector('input') as HTMLInputElement;
    if (input.value.trim()) this.impose(input.value);
    input.value = '';
  }

  private impose(imposed: ImposeEvent['imposed']): void {
    this.dispatchEvent(new ImposeEvent(imposed));
  }

  private ask(to: StepEvent['to']): void {
    this.dispatchEvent(new StepEvent(to));
  }

  private onKey(event: KeyboardEvent): void {
    // A field and a slider have their own use for these keys; the event of one in another shadow tree names it in its path.
    if (event.composedPath()[0] instanceof HTMLInputElement) return;
    const to = { ArrowLeft: this.step - 1, ArrowRight: this.step + 1, Home: 0, End: this.view.target.length - 1 }[
      event.key
    ];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.ask(to);
  }
}

define('soft-align-step', SoftAlignStep);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align-step': SoftAlignStep;
  }
}
