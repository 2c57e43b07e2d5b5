import { html, nothing, type PropertyValues } from 'lit';
import { property, query } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { define } from '../define.ts';
import { UsageError } from '../errors.ts';
import type { Hypothesis, ModelInformation, Token, Translation } from '../translation.ts';
import type { ChooseEvent, ImposeEvent, SelectEvent, StepEvent } from '../view/events.ts';
import '../view/heatmap.ts';
import type { SoftAlignHeatmap } from '../view/heatmap.ts';
import '../view/legend.ts';
import type { Selection } from '../view/selection.ts';
import '../view/sentences.ts';
import '../view/step.ts';
import { visuallyHidden } from '../view/styles.ts';
import { tell } from '../view/tell.ts';
import '../view/tree.ts';
import { type AlignmentView, DrawnView, hasAttention, hasSubwords, readable } from '../view/units.ts';
import { DropController } from './drop-controller.ts';
import { embedCode } from './embed.ts';
import type { FailureEvent, LoadProgressEvent, ReadyEvent, ResultEvent, SoftAlignEventMap } from './events.ts';
import { type ExportFormat, exportFile } from './export.ts';
import { FollowController } from './follow-controller.ts';
import { Highlight } from './highlight.ts';
import { Imposer, type Subject } from './imposed.ts';
import { PrintController } from './print-controller.ts';
import { StepController } from './step-controller.ts';
import { elementStyles } from './styles.ts';
import {
  bottleneck,
  failureBox,
  fileOpener,
  imposedNotice,
  otherHypothesisNotice,
  progressBar,
  switchBox,
  workingBar,
} from './templates.ts';
import { ThemeController } from './theme-controller.ts';
import { TranslationController } from './translation-controller.ts';
import { TypedElement } from './typed-element.ts';

/** Longer sentences get the whole width for their heatmap. */
const mostWordsBeside = 14;

/**
 * Translates a sentence in the reader's browser and shows which source words each target word read from.
 *
 * @element soft-align
 *
 * @slot heading - Content above the sentence, such as the model's name.
 * @slot - Shown until the first translation, and permanently where scripts do not run.
 *
 * @fires {ReadyEvent} ready - The model is loaded; `event.information` says what it is.
 * @fires {LoadProgressEvent} progress - The model is arriving: `event.loaded` bytes of `event.total`, if that is known.
 * @fires {ResultEvent} result - A new translation: `event.translation`. While the reader types, a greedy one comes first.
 * @fires {FailureEvent} error - Loading or translating failed: `event.error`, whose message says what to do.
 *
 * @csspart field - The text field.
 * @csspart status - The progress of loading, a translation that takes long, or an error.
 * @csspart source - The source sentence.
 * @csspart target - The translation.
 * @csspart heatmap - The heatmap with its labels.
 * @csspart legend - The colour scale.
 * @csspart step - One step of the translation: its scores, shares and blend, the likeliest words, its buttons.
 * @csspart tree - The tree of the search, with the hypotheses that it found.
 * @csspart notice - Says what the reader imposed on the model, or that the hypothesis shown is not the best.
 * @csspart telling - The sentence about what is pointed at.
 *
 * @cssprop [--soft-align-hue=282] - Hue of the weights, in degrees of OKLCH.
 * @cssprop [--soft-align-color] - Text.
 * @cssprop [--soft-align-surface] - Background.
 * @cssprop [--soft-align-accent] - What is selected, links and focus.
 * @cssprop [--soft-align-link-height=4.5rem] - Room between the two sentences.
 * @cssprop [--soft-align-map-max-height=min(85vh, 60rem)] - The heatmap scrolls beyond this height.
 */
export class SoftAlign extends TypedElement {
  static override styles = [visuallyHidden, elementStyles];

  /** The hypothesis that is shown, counted from 0; the best one after every new translation. */
  @property({ attribute: false }) hypothesis = 0;

  /** What the rows and columns are made of. */
  private words = '';
  @query('soft-align-heatmap') private heatmap!: SoftAlignHeatmap | null;

  private readonly drawn = new DrawnView();
  private readonly highlight = new Highlight(this, () => this.alignment);
  private readonly work = new TranslationController(this, (translation) => this.begin(translation));
  private readonly look = new ThemeController(this);
  private readonly print = new PrintController(this);
  private readonly following = new FollowController(this);
  private readonly drop = new DropController(this, (file) => void this.openModel(file));
  private readonly stepping = new StepController(
    this,
    (translation, hypothesis) => this.work.steps(translation, hypothesis),
    () => this.highlightStep(),
  );
  private readonly imposer = new Imposer(
    this,
    () => this.subject,
    (imposed) => this.work.impose(imposed),
  );

  /** The newest translation. Set it to show one that was made elsewhere, at once and without a model. */
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
    const { shown, translation } = this;
    // A step of the decoder writes a piece.
    return translation && shown && this.drawn.of(translation, shown, this.pieces || this.steps);
  }

  private get shown(): Hypothesis | undefined {
    const hypotheses = this.translation?.hypotheses;
    return hypotheses?.[this.hypothesis] ?? hypotheses?.[0];
  }

  private get subject(): Subject | undefined {
    const { information, translation, shown } = this;
    return information && translation && shown && { translation, shown };
  }

  /** What is highlighted; null for nothing. */
  get selection(): Selection | null {
    return this.highlight.selection;
  }

  /** Highlights a row, a column or a cell until the reader points at another; null releases it. Throws RangeError if there is no such place. */
  select(selection: Selection | null): void {
    this.highlight.set(selection);
  }

  /** A file to save: the heatmap as `png` or `svg`, its weights as `csv`, the translation as `json`. Rejects with UsageError before there is a translation. */
  async exportAs(format: ExportFormat): Promise<Blob> {
    await this.updateComplete;
    const { translation, shown, alignment, heatmap } = this;
    if (!translation || !shown || !alignment)
      throw new UsageError('There is no translation yet: wait for the result event.');
    return exportFile(format, { translation, shown, alignment, look: heatmap?.look() });
  }

  /** Imposes another token, or a text, at a step, counted from 0; the model writes the rest from there. */
  chooseWord(step: number, word: Pick<Token, 'id'> | string): void {
    this.imposer.word(step, word);
  }

  /** Imposes the shares with which a step, counted from 0, reads the source tokens; the model writes the rest from there. They sum to 1. */
  chooseWeights(step: number, weights: Float32Array): void {
    this.imposer.weights(step, weights);
  }

  /** Takes back everything that was imposed. */
  undoChoices(): void {
    this.imposer.undo();
  }

  /** HTML that shows the same in another page. */
  embedCode(): string {
    const { text, translation } = this;
    const fallback = translation ? `${translation.input} → ${translation.text}` : text;
    const module = new URL('./soft-align.js', import.meta.url).href;
    // A file of the reader's own has no address yet.
    const src = this.src ? new URL(this.src, this.baseURI).href : 'YOUR-MODEL.safetensors';
    return embedCode(this, { module, src, fallback });
  }

  /** The place of a heatmap cell in the window, in CSS pixels, for tours and tests. */
  cellRectangle(row: number, column: number): DOMRect | undefined {
    return this.heatmap?.cellRectangle(row, column);
  }

  /** Uses a model from the reader's own file, which stays on this device, instead of `src`. Fires `ready` or `error`. */
  openModel(file: Blob): Promise<void> {
    this.src = '';
    return this.work.open(file);
  }

  /** Tries again after an error. */
  retry(): void {
    this.work.retry();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    Object.assign(this, this.following.values());
    const selection = this.following.takeSelection();
    // The other model may have split the sentence into more words.
    if (selection !== undefined && (selection?.column ?? 0) < (this.alignment?.source.length ?? 0))
      this.select(selection);
    if (changed.has('steps') && changed.get('steps') !== undefined) this.select(null);
    if (this.steps && this.translation) {
      void this.stepping.begin(this.translation, this.hypothesis);
      if (changed.has('steps')) this.highlightStep();
    } else this.stepping.pause();
    if (changed.has('src') || changed.has('text') || changed.has('beam')) {
      this.work.ask({ src: this.src, text: this.text, beam: this.beam });
    }
  }

  protected override render() {
    const view = this.alignment;
    const { printing } = this.print;
    const layout = {
      layout: true,
      printing,
      hovered: this.drop.hovered,
      long: (view?.source.length ?? 0) > mostWordsBeside,
    };
    return html`
      <div class=${classMap(layout)}>
        <div class=${classMap({ words: true, stale: this.work.stale })}>
          <slot name="heading"></slot>
          ${this.editable ? this.field() : nothing}
          ${this.work.error ? failureBox(this.work.error, () => this.retry()) : nothing}
          ${view ? this.sentences(view) : html`<slot></slot>`}
          ${this.work.loading ? progressBar(this.work.progress) : this.work.working ? workingBar : nothing}
          ${view ? nothing : this.opener()}
        </div>
        ${view?.target.length ? this.panels(view) : nothing}
        ${view ? (hasAttention(view) ? this.map(view) : bottleneck) : nothing}
      </div>
    `;
  }

  private field() {
    return html`<label>
      <span class="visually-hidden">Sentence to translate</span>
      <textarea
        part="field" translate="no" rows="2" dir="auto" spellcheck="false" autocomplete="off" .value=${this.text} @input=${this.onInput}
        placeholder="Type a sentence"
      ></textarea>
    </label>`;
  }

  private sentences(view: AlignmentView) {
    const imposed = new Set(this.imposer.impositions.map(({ step }) => step));
    return html`<soft-align-sentences
        exportparts="source, target" .printing=${this.print.printing} .languages=${this.languages()} .view=${view} .selection=${this.selection} .imposed=${imposed}
        @select=${this.onSelect}
      ></soft-align-sentences>
      ${this.notice()}
      <p class="telling" part="telling" lang="en" dir="ltr" translate="no" aria-live="polite">${this.telling(view)}</p>
      <div class="controls" lang="en" dir="ltr">${this.switches()} ${this.opener()}</div>`;
  }

  private opener() {
    return this.openable ? fileOpener((file) => void this.openModel(file)) : nothing;
  }

  private notice() {
    const { impositions } = this.imposer;
    const words = this.shown?.target.map(readable) ?? [];
    if (impositions.length > 0) return imposedNotice(impositions, words, () => this.undoChoices());
    if (this.hypothesis === 0) return nothing;
    const best = () => {
      this.hypothesis = 0;
    };
    return otherHypothesisNotice(this.hypothesis, this.translation?.hypotheses.length ?? 0, best);
  }

  private switches() {
    const { translation } = this;
    return [
      translation && hasSubwords(translation) && !this.steps
        ? switchBox('Word pieces', this.pieces, (on) => {
            this.pieces = on;
            this.select(null);
          })
        : nothing,
      switchBox('Step through', this.steps, (on) => {
        this.steps = on;
      }),
      switchBox('Search tree', this.tree, (on) => {
        this.tree = on;
      }),
    ];
  }

  /** The languages of the two sides for screen readers, if the model's card names them. */
  private languages(): { source: string; target: string } {
    const language = (side: 'source' | 'target') => {
      const described = this.information?.card[side] as { language?: unknown } | undefined;
      return typeof described?.language === 'string' ? described.language : '';
    };
    return { source: language('source'), target: language('target') };
  }

  private telling(view: AlignmentView) {
    if (this.selection) return tell(view, this.selection);
    if (view.weights.length === 0) return nothing;
    return html`<span class="hint">Point at a word or a cell to see what was read for it. Press to keep it highlighted.</span>`;
  }

  private panels(view: AlignmentView) {
    return [this.steps ? this.step(view) : nothing, this.tree ? this.searchTree() : nothing];
  }

  private step(view: AlignmentView) {
    const { step, shown, written, playing } = this.stepping;
    return html`<soft-align-step
      part="step" lang="en" dir="ltr" translate="no" .view=${view} .step=${step} .details=${shown} .playing=${playing} .written=${written}
      .imposed=${this.imposer.at(step)} .changeable=${this.information !== undefined}
      @step=${this.onStep} @impose=${this.onImpose}
    ></soft-align-step>`;
  }

  private searchTree() {
    const { tree = [], treeLeftOut = 0, hypotheses = [] } = this.translation ?? {};
    return html`<soft-align-tree
      part="tree" lang="en" dir="ltr" translate="no" .tree=${tree} .leftOut=${treeLeftOut} .hypotheses=${hypotheses} .chosen=${this.hypothesis} @choose=${this.onChoose}
    ></soft-align-tree>`;
  }

  private map(view: AlignmentView) {
    const { printing } = this.print;
    const dark = this.look.dark && !printing;
    return html`<figure part="heatmap">
      <soft-align-heatmap
        translate="no" .view=${view} .selection=${this.selection} .dark=${dark} .printing=${printing} @select=${this.onSelect}
      ></soft-align-heatmap>
      <figcaption lang="en" dir="ltr"><soft-align-legend part="legend" .dark=${dark}></soft-align-legend></figcaption>
      <p class="visually-hidden" role="status" translate="no">Translation: ${this.shown?.text}</p>
    </figure>`;
  }

  /** Resets the state for another translation, before listeners hear of it. */
  private begin(translation: Translation): void {
    this.hypothesis = 0;
    // In another sentence, rows and columns are other words.
    const words = JSON.stringify([translation.input, translation.target]);
    if (words !== this.words) this.select(null);
    this.words = words;
    if (!translation.imposed) this.imposer.forget();
    this.following.again();
  }

  private onInput(event: InputEvent): void {
    this.text = (event.target as HTMLTextAreaElement).value;
  }

  private onSelect(event: SelectEvent): void {
    const { selection, hold } = event;
    if (this.steps && hold && selection?.row != null) this.onStep({ to: selection.row });
    else this.highlight.follow(event);
  }

  private onStep({ to }: Pick<StepEvent, 'to'>): void {
    this.stepping.pause();
    if (to === 'play') this.stepping.play();
    else if (to !== 'pause') this.stepping.show(to);
  }

  private onImpose({ imposed }: ImposeEvent): void {
    const { step } = this.stepping;
    this.stepping.pause();
    if (imposed instanceof Float32Array) this.chooseWeights(step, imposed);
    else this.chooseWord(step, imposed);
  }

  private onChoose({ hypothesis }: ChooseEvent): void {
    this.select(null);
    this.hypothesis = hypothesis;
  }

  /** Highlights the row of the step that is shown. */
  private highlightStep(): void {
    if (!this.alignment?.target.length) return;
    const selection = { row: this.stepping.step, column: null };
    this.highlight.set(selection, { hold: true });
    this.heatmap?.reveal(selection);
  }
}

define('soft-align', SoftAlign);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align': SoftAlign;
  }
}

export type { ExportFormat, FailureEvent, LoadProgressEvent, ReadyEvent, ResultEvent, SoftAlignEventMap };
