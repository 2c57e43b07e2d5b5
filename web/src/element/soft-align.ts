import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { define } from '../define.ts';
import { EngineError, UsageError } from '../errors.ts';
import type { ModelInformation, Translation } from '../translation.ts';
import { translationToJson } from '../translation-json.ts';
import { alignmentCsv } from '../view/csv.ts';
import { figurePng, figureSvg } from '../view/figure.ts';
import '../view/heatmap.ts';
import type { SoftAlignHeatmap } from '../view/heatmap.ts';
import '../view/legend.ts';
import type { SelectEvent } from '../view/select-event.ts';
import { type Selection, sameSelection } from '../view/selection.ts';
import '../view/sentences.ts';
import '../view/step.ts';
import type { StepEvent } from '../view/step.ts';
import { visuallyHidden } from '../view/styles.ts';
import { tell } from '../view/tell.ts';
import { type AlignmentView, alignPieces, alignWords, hasSubwords } from '../view/units.ts';
import { DropController } from './drop-controller.ts';
import { embedCode } from './embed.ts';
import type { FailureEvent, LoadProgressEvent, ReadyEvent, ResultEvent, SoftAlignEventMap } from './events.ts';
import { FollowController } from './follow-controller.ts';
import { StepController } from './step-controller.ts';
import { elementStyles } from './styles.ts';
import { type Theme, ThemeController } from './theme-controller.ts';
import { TranslationController } from './translation-controller.ts';

/** What can be taken away: the heatmap as a picture, its numbers as a table, everything as data. */
export type ExportFormat = 'png' | 'svg' | 'csv' | 'json';

/** Longer sentences get the whole width for their heatmap. */
const mostWordsBeside = 14;

/**
 * Translates a sentence in the reader's browser and shows which source words each target word read from.
 *
 * @element soft-align
 *
 * @slot heading - Something to stand above the sentence, such as the model's name.
 * @slot - Shown until there is a first translation, and for good where scripts do not run.
 *
 * @fires {ReadyEvent} ready - The model is loaded; `event.information` says what it is.
 * @fires {LoadProgressEvent} progress - The model arrives: `event.loaded` bytes of `event.total`, where that is known.
 * @fires {ResultEvent} result - A new translation: `event.translation`.
 * @fires {FailureEvent} error - Loading or translating failed: `event.error`, whose message says what to do.
 *
 * @csspart field - The text field.
 * @csspart status - The progress of loading, or an error.
 * @csspart source - The source sentence.
 * @csspart target - The translation.
 * @csspart heatmap - The heatmap with its labels.
 * @csspart legend - The colour scale.
 * @csspart step - One step of the translation, with its buttons.
 * @csspart telling - The sentence about what is pointed at.
 *
 * @cssprop [--soft-align-hue=282] - Hue of the weights, in degrees of OKLCH.
 * @cssprop [--soft-align-color] - Text.
 * @cssprop [--soft-align-surface] - Background.
 * @cssprop [--soft-align-accent] - What is selected, links and focus.
 * @cssprop [--soft-align-link-height=4.5rem] - Room between the two sentences.
 * @cssprop [--soft-align-map-max-height=min(85vh, 60rem)] - The heatmap scrolls beyond this height.
 */
export class SoftAlign extends LitElement {
  static override styles = [visuallyHidden, elementStyles];

  /** Address of the model, relative to the page. */
  @property() src = '';

  /** The sentence to translate; it changes as the reader types. */
  @property() text = '';

  /** Hypotheses kept alive in the search; 1 is greedy. */
  @property({ type: Number }) beam = 1;

  /** Whether the reader may change the sentence. */
  @property({ type: Boolean, reflect: true }) editable = false;

  /** Whether the reader may open a model file of their own, by a button or by dropping it. */
  @property({ type: Boolean, reflect: true }) openable = false;

  /** Id of another `<soft-align>` whose sentence, search and lit source word this one takes over, to compare two models. */
  @property() follow = '';

  /** Shows the model's subword pieces in place of whole words. */
  @property({ type: Boolean, reflect: true }) pieces = false;

  /** Goes through the translation one piece at a time: what was read, and what could have been written. */
  @property({ type: Boolean, reflect: true }) steps = false;

  /** `light`, `dark`, or what the reader's system prefers. */
  @property({ reflect: true }) theme: Theme = 'auto';

  @state() private lit: Selection | null = null;
  /** Whether what is lit was pressed, and stays when the pointer goes. */
  private held = false;
  @query('soft-align-heatmap') private heatmap!: SoftAlignHeatmap | null;

  /** The view of the newest translation: the same object as long as nothing changed, so that nothing is drawn anew. */
  private drawn: { translation: Translation; pieces: boolean; view: AlignmentView } | undefined;

  private readonly work = new TranslationController(this);
  private readonly look = new ThemeController(this);
  private readonly following = new FollowController(this);
  private readonly drop = new DropController(this);
  private readonly stepping = new StepController(
    this,
    (translation) => this.work.alternatives(translation),
    () => this.lightStep(),
  );

  constructor() {
    super();
    // Rows and columns of another sentence are other words.
    this.addEventListener('result', () => {
      this.select(null);
      this.following.again();
    });
  }

  /** The newest translation. Setting it shows one that was made elsewhere, at once and without a model. */
  @property({ attribute: false })
  get translation(): Translation | undefined {
    return this.work.translation;
  }
  set translation(translation: Translation | undefined) {
    if (translation) this.work.show(translation, this.text);
  }

  /** What the loaded model says about itself; undefined until it is loaded. */
  get information(): ModelInformation | undefined {
    return this.work.translator?.information;
  }

  /** The rows and columns as they are drawn: of words, or of pieces. */
  get alignment(): AlignmentView | undefined {
    const { translation } = this.work;
    if (!translation) return undefined;
    // A step of the decoder writes a piece.
    const pieces = this.pieces || this.steps;
    if (this.drawn?.translation !== translation || this.drawn.pieces !== pieces) {
      const align = pieces ? alignPieces : alignWords;
      this.drawn = { translation, pieces, view: align(translation, translation) };
    }
    return this.drawn.view;
  }

  /** What is lit; null for nothing. */
  get selection(): Selection | null {
    return this.lit;
  }

  /** Lights a row, a column or a cell until another is pointed at; null lets go. Throws RangeError where there is none. */
  select(selection: Selection | null): void {
    const { target = [], source = [] } = this.alignment ?? {};
    const exists = (place: number | null, units: readonly unknown[]) => place === null || place in units;
    if (selection && !(exists(selection.row, target) && exists(selection.column, source))) {
      const { row, column } = selection;
      const size = `${target.length} rows and ${source.length} columns`;
      throw new RangeError(`There is no row ${row}, column ${column}: the heatmap has ${size}, counted from 0.`);
    }
    this.lit = selection;
    this.held = false;
  }

  /** A file to save: the heatmap as `png` or `svg`, its weights as `csv`, the translation as `json`. Rejects with UsageError before there is a translation. */
  async exportAs(format: ExportFormat): Promise<Blob> {
    await this.updateComplete;
    const { translation, alignment, heatmap } = this;
    if (!translation || !alignment) throw new UsageError('There is no translation yet: wait for the result event.');
    if (format === 'json') return new Blob([translationToJson(translation)], { type: 'application/json' });
    if (!heatmap) throw new UsageError('This model has no attention, so there are no weights: save the data as json.');
    switch (format) {
      case 'png': {
        const picture = await figurePng(alignment, heatmap.look());
        if (!picture) throw new EngineError('This browser made no picture of the heatmap; save it as SVG.');
        return picture;
      }
      case 'svg': {
        const title = `${translation.input} → ${translation.text}`;
        return new Blob([figureSvg(alignment, heatmap.look(), title)], { type: 'image/svg+xml' });
      }
      case 'csv':
        return new Blob([alignmentCsv(alignment)], { type: 'text/csv' });
      default:
        throw new UsageError(`'${format}' is no format; give png, svg, csv or json.`);
    }
  }

  /** HTML that shows the same in another page. */
  embedCode(): string {
    const { text, beam, editable, pieces, steps, theme, translation } = this;
    const fallback = translation ? `${translation.input} → ${translation.text}` : text;
    const module = new URL('./soft-align.js', import.meta.url).href;
    // A file of the reader's own has no address yet.
    const src = this.src ? new URL(this.src, this.baseURI).href : 'YOUR-MODEL.safetensors';
    return embedCode({ module, src, text, beam, editable, pieces, steps, theme, fallback });
  }

  /** Where a cell of the heatmap lies in the window, in CSS pixels, for tours and tests. */
  cellRectangle(row: number, column: number): DOMRect | undefined {
    return this.heatmap?.cellRectangle(row, column);
  }

  /** Uses a model from a file of the reader's own, which stays on this device, in place of `src`. Tells by `ready` or `error`. */
  openModel(file: Blob): Promise<void> {
    this.src = '';
    return this.work.open(file);
  }

  /** Tries again after an error. */
  retry(): void {
    this.work.retry();
  }

  override addEventListener<Type extends keyof SoftAlignEventMap>(
    type: Type,
    listener: (this: SoftAlign, event: SoftAlignEventMap[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.following.copy();
    const selection = this.following.takeSelection();
    // The other model may have split the sentence into more words.
    if (selection !== undefined && (selection?.column ?? 0) < (this.alignment?.source.length ?? 0))
      this.select(selection);
    if (changed.has('steps') && changed.get('steps') !== undefined) this.select(null);
    if (this.steps && this.translation) {
      void this.stepping.begin(this.translation);
      if (changed.has('steps')) this.lightStep();
    } else this.stepping.pause();
    if (changed.has('src') || changed.has('text') || changed.has('beam')) {
      this.work.ask({ src: this.src, text: this.text, beam: this.beam });
    }
  }

  protected override render() {
    const view = this.alignment;
    return html`
      <div class=${classMap({ layout: true, hovered: this.drop.hovered, long: (view?.source.length ?? 0) > mostWordsBeside })}>
        <div class=${classMap({ words: true, stale: this.work.stale })}>
          <slot name="heading"></slot>
          ${this.editable ? this.field() : nothing}
          ${this.failure()}
          ${
            view
              ? html`<soft-align-sentences
                  exportparts="source, target" .languages=${this.languages()} .view=${view} .selection=${this.lit} @select=${this.onSelect}
                ></soft-align-sentences>
                <p class="telling" part="telling" aria-live="polite">${this.telling(view)}</p>
                ${this.steps ? this.step(view) : nothing}`
              : html`<slot></slot>`
          }
          ${this.progress()}
          ${this.openable ? this.opener() : nothing}
        </div>
        ${view ? (attentive(view) ? this.map(view) : this.bottleneck()) : nothing}
      </div>
    `;
  }

  private opener() {
    return html`<label class="opener">
      <input class="visually-hidden" type="file" accept=".safetensors" @change=${this.onFile} />
      <span title="A file of your own, which stays on this device">Open a model file</span>
    </label>`;
  }

  private field() {
    return html`<label>
      <span class="visually-hidden">Sentence to translate</span>
      <textarea
        part="field" rows="2" dir="auto" spellcheck="false" autocomplete="off" .value=${this.text} @input=${this.onInput}
        placeholder="Type a sentence"
      ></textarea>
    </label>`;
  }

  private failure() {
    const { error } = this.work;
    if (!error) return nothing;
    return html`<div class="status error" part="status" role="alert">
      <p>${error.message}</p>
      <button type="button" @click=${this.retry}>Try again</button>
    </div>`;
  }

  private progress() {
    if (!this.work.loading) return nothing;
    const { loaded = 0, total } = this.work.progress ?? {};
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
    return html`<div class="status" part="status">
      <label>
        Loading the model${loaded ? html` · ${megabytes(loaded)}${total ? ` of ${megabytes(total)}` : ''} MB` : ''}
        <progress max="1" .value=${total ? loaded / total : nothing}></progress>
      </label>
    </div>`;
  }

  /** Of the two sides, for voices that read aloud: what the model's card says, if it says so. */
  private languages(): { source: string; target: string } {
    const language = (side: 'source' | 'target') => {
      const described = this.information?.card[side] as { language?: unknown } | undefined;
      return typeof described?.language === 'string' ? described.language : '';
    };
    return { source: language('source'), target: language('target') };
  }

  private telling(view: AlignmentView) {
    if (this.lit) return tell(view, this.lit);
    return html`<span class="hint">Point at a word or a cell to see what was read for what. Press to keep it lit.</span>`;
  }

  private step(view: AlignmentView) {
    const { step, alternatives, playing } = this.stepping;
    return html`<soft-align-step
      part="step" .view=${view} .step=${step} .alternatives=${alternatives?.[step]} .playing=${playing}
      .written=${this.translation?.target[step]?.id ?? -1} @step=${this.onStep}
    ></soft-align-step>`;
  }

  private map(view: AlignmentView) {
    const switchable = this.work.translation && hasSubwords(this.work.translation);
    return html`<figure part="heatmap">
      <soft-align-heatmap
        .view=${view} .selection=${this.lit} .dark=${this.look.dark} @select=${this.onSelect}
      ></soft-align-heatmap>
      <figcaption>
        <div class="controls">
          <soft-align-legend part="legend" .dark=${this.look.dark}></soft-align-legend>
          ${
            switchable && !this.steps
              ? html`<label class="switch"><input type="checkbox" role="switch" .checked=${this.pieces} @change=${this.onPieces} /> Word pieces</label>`
              : nothing
          }
          ${this.stepSwitch()}
        </div>
      </figcaption>
      <p class="visually-hidden" role="status">Translation: ${this.work.translation?.text}</p>
    </figure>`;
  }

  private bottleneck() {
    return html`<div class="bottleneck" part="heatmap">
      <p>This model has no attention. It read the whole sentence once, kept it in one list of numbers of a fixed size, and
        wrote from that memory alone: there is nothing to point at.</p>
      ${this.stepSwitch()}
    </div>`;
  }

  private stepSwitch() {
    return html`<label class="switch"
      ><input type="checkbox" role="switch" .checked=${this.steps} @change=${this.onSteps} /> Step through</label
    >`;
  }

  private onFile({ target }: Event): void {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.openModel(file);
    // So that the same file can be chosen again after it was mended.
    input.value = '';
  }

  private onInput(event: InputEvent): void {
    this.text = (event.target as HTMLTextAreaElement).value;
  }

  private onSelect({ selection, hold }: SelectEvent): void {
    if (this.held && !hold) return;
    // Pressed again, it is let go.
    const again = this.held && sameSelection(selection, this.lit);
    this.select(again ? null : selection);
    this.held = hold && this.lit !== null;
  }

  private onSteps(event: Event): void {
    this.steps = (event.target as HTMLInputElement).checked;
  }

  private onStep({ to }: StepEvent): void {
    this.stepping.pause();
    if (to === 'play') this.stepping.play();
    else if (to !== 'pause') this.stepping.show(to);
  }

  /** Lights the row of the step that is shown. */
  private lightStep(): void {
    if (!this.alignment?.target.length) return;
    this.select({ row: this.stepping.step, column: null });
    this.held = true;
  }

  private onPieces(event: Event): void {
    this.pieces = (event.target as HTMLInputElement).checked;
    this.select(null);
  }
}

/** Whether there are weights to draw. */
function attentive({ weights, target }: AlignmentView): boolean {
  return weights.length > 0 || target.length === 0;
}

define('soft-align', SoftAlign);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align': SoftAlign;
  }
}

export type { FailureEvent, LoadProgressEvent, ReadyEvent, ResultEvent, SoftAlignEventMap };
