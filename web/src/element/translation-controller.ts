import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { EngineError, SoftAlignError, SupersededError } from '../errors.ts';
import type { Progress } from '../loading/download.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import { Translator } from '../translator.ts';
import { FailureEvent, LoadProgressEvent, ReadyEvent, ResultEvent } from './events.ts';
import type { ImposedOptions } from './imposed.ts';
import { NearController } from './near-controller.ts';

/** What the element asks for. */
export interface Wish {
  /** Address of the model; empty for none. */
  readonly src: string;
  readonly text: string;
  readonly beam: number;
}

/** After this pause in typing, in milliseconds, the reader waits for the best translation rather than the first. */
const pause = 300;

/** A translation that takes longer than this, in milliseconds, is reported as being under way. */
const unnoticed = 500;

type Host = ReactiveControllerHost & Element;

/** Loads the requested model, keeps the translation of the requested text, and notifies the host's listeners. */
export class TranslationController implements ReactiveController {
  translator: Translator | undefined;
  /** The newest result; it stays while the next one is made. */
  translation: Translation | undefined;
  progress: Progress | undefined;
  error: SoftAlignError | undefined;
  loading = false;
  /** Whether a translation takes so long that its reader should know. */
  working = false;
  /** The text of `translation`. */
  private translated: string | undefined;

  private wish: Wish = { src: '', text: '', beam: 1 };
  private imposed: ImposedOptions | undefined;
  /** The model, where it is the reader's own. */
  private file: Blob | undefined;
  private load: AbortController | undefined;
  /** Ends the steps that were asked for. */
  private stepping = new AbortController();
  private typing: ReturnType<typeof setTimeout> | undefined;

  /** A model is loaded when the reader comes near. */
  private readonly place: NearController;

  constructor(
    private readonly host: Host,
    /** Called with every new translation, before the host's listeners hear of it. */
    private readonly arrived: (translation: Translation) => void,
  ) {
    this.place = new NearController(host, () => this.loadMissing());
    host.addController(this);
  }

  hostConnected(): void {
    this.loadMissing();
  }

  hostDisconnected(): void {
    this.letGo();
  }

  /** Whether the translation belongs to another text than the requested one. */
  get stale(): boolean {
    return this.translation !== undefined && this.translated !== this.wish.text;
  }

  /** Follows a change of the request; repeating the same request does nothing. */
  ask(wish: Wish): void {
    const before = this.wish;
    this.wish = wish;
    // It was about the words of another sentence, or of another model.
    if (wish.src !== before.src || wish.text !== before.text) this.imposed = undefined;
    if (wish.src !== before.src) this.file = undefined;
    if (wish.src !== before.src) void this.loadModel();
    else if (wish.text !== before.text) void this.translateTyped();
    else if (wish.beam !== before.beam) void this.translate();
  }

  /** Translates again with what is imposed, which holds until the sentence changes; undefined imposes nothing. */
  impose(imposed: ImposedOptions | undefined): void {
    this.imposed = imposed;
    void this.translate();
  }

  /** Tries again after an error. */
  retry(): void {
    if (this.translator) void this.translate();
    else void this.loadModel();
  }

  /** Shows a translation of a text, from here or made elsewhere, such as before the model arrived. */
  show(translation: Translation, text: string): void {
    this.translation = translation;
    this.translated = text;
    this.arrived(translation);
    this.host.requestUpdate();
    this.host.dispatchEvent(new ResultEvent(translation));
  }

  /** Uses the reader's own model instead of the one at `src`. */
  open(file: Blob): Promise<void> {
    this.imposed = undefined;
    this.wish = { ...this.wish, src: '' };
    this.file = file;
    return this.loadModel();
  }

  /** What happened at every step of one of a translation's hypotheses; undefined if there is no model, or something newer is requested meanwhile. */
  async steps(translation: Translation, hypothesis: number): Promise<DecodingStep[] | undefined> {
    const { translator } = this;
    this.stepping.abort();
    this.stepping = new AbortController();
    const { signal } = this.stepping;
    try {
      return await translator?.steps(translation, { hypothesis, signal });
    } catch (error) {
      // A model that was let go of meanwhile has nothing to say any more.
      if (translator === this.translator && !signal.aborted) this.fail(error);
      return undefined;
    }
  }

  private loadMissing(): void {
    if ((this.wish.src || this.file) && !this.load) void this.loadModel();
  }

  private async loadModel(): Promise<void> {
    const {
      file,
      wish: { src },
    } = this;
    if (file && this.host.isConnected) {
      return this.obtain(async () => Translator.fromBytes(await file.arrayBuffer()));
    }
    if (!src || !this.host.isConnected || !this.place.near) return this.letGo();
    await this.obtain((signal) => {
      const onProgress = (progress: Progress) => {
        if (signal.aborted) return;
        this.update({ progress });
        this.host.dispatchEvent(new LoadProgressEvent(progress.loaded, progress.total));
      };
      return Translator.load(src, { onProgress, signal });
    });
  }

  /** Releases the current model and starts with the one that `load` gives, unless another one is requested meanwhile. */
  private async obtain(load: (signal: AbortSignal) => Promise<Translator>): Promise<void> {
    this.letGo();
    const controller = new AbortController();
    const { signal } = controller;
    this.load = controller;
    this.update({ loading: true, progress: undefined, error: undefined });
    try {
      const translator = await load(signal);
      if (signal.aborted) translator.dispose();
      else this.begin(translator);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  private begin(translator: Translator): void {
    this.translator = translator;
    this.update({ loading: false, error: undefined });
    this.host.dispatchEvent(new ReadyEvent(translator.information));
    void this.translate();
  }

  /** Greedily at once, and when that is there and the reader pauses, by a search that takes longer. */
  private async translateTyped(): Promise<void> {
    if (this.wish.beam === 1) return this.translate();
    const { wish } = this;
    const first = this.translate(1);
    const paused = new Promise((resolve) => {
      this.typing = setTimeout(resolve, pause);
    });
    await Promise.all([first, paused]);
    if (wish === this.wish) await this.translate();
  }

  private async translate(beam = this.wish.beam): Promise<void> {
    clearTimeout(this.typing);
    this.stepping.abort();
    const { translator } = this;
    if (!translator) return;
    const { text } = this.wish;
    const noticed = setTimeout(() => this.update({ working: true }), unnoticed);
    try {
      const search = { beam, nbest: beam, tree: true, ...this.imposed };
      const translation = await translator.translate(text, { ...search, supersede: true });
      if (translator !== this.translator) return;
      this.update({ error: undefined });
      this.show(translation, text);
    } catch (error) {
      if (error instanceof SupersededError || translator !== this.translator) return;
      this.fail(error);
    } finally {
      clearTimeout(noticed);
      if (this.working) this.update({ working: false });
    }
  }

  private letGo(): void {
    clearTimeout(this.typing);
    this.load?.abort();
    this.load = undefined;
    this.translator?.dispose();
    this.translator = undefined;
  }

  private fail(cause: unknown): void {
    const error =
      cause instanceof SoftAlignError
        ? cause
        : new EngineError(`Something unexpected went wrong; reload the page (${String(cause)}).`, { cause });
    this.update({ loading: false, error });
    this.host.dispatchEvent(new FailureEvent(error));
  }

  private update(state: Partial<Pick<this, 'loading' | 'working' | 'progress' | 'error'>>): void {
    Object.assign(this, state);
    this.host.requestUpdate();
  }
}
