import type { Engine, ModelId, Outcome } from './engine/engine.ts';
import { SupersededError, UsageError } from './errors.ts';
import { type HeldModel, holdModel, holdOwnModel, type LoadOptions } from './models.ts';
import type { SearchOptions } from './search-options.ts';
import { completeOptions } from './search-options.ts';
import type { DecodingStep, ModelInformation, Token, Translation } from './translation.ts';

export interface TranslateOptions extends SearchOptions {
  /** Rejects this call with the signal's reason. */
  signal?: AbortSignal;
  /** Takes the place of this translator's earlier calls of the same kind: they reject with SupersededError. */
  supersede?: boolean;
}

export interface StepsOptions {
  /** Which of the translation's hypotheses; the best one is 0. Default 0. */
  hypothesis?: number;
  /** Number of likeliest tokens at each step. Default 5. */
  count?: number;
  /** Rejects this call with the signal's reason. */
  signal?: AbortSignal;
}

/** Runs one task at a time, in order, so that a task that is no longer wanted is skipped. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** @param wanted asked when the turn comes */
  take(task: () => Promise<void>, wanted: () => boolean): void {
    const turn = () => (wanted() ? task() : undefined);
    this.last = this.last.then(turn, turn);
  }
}

/** A call that waits for its answer. */
interface Call {
  readonly supersede: boolean;
  /** Frees the engine, and rejects. */
  end(reason: unknown): void;
}

/** All translators of a page share one engine, which translates one sentence at a time. */
const turns = new Turns();

/** Translates with one model, in a worker shared by the page. */
export class Translator {
  /** Those that have no answer yet. */
  private readonly calls = new Set<Call>();
  private disposed = false;

  private constructor(private readonly model: HeldModel) {}

  /**
   * Downloads a model, or shares the one that this page already has from the same address.
   * Rejects with UnsupportedError, NetworkError, ModelError, EngineError or the signal's reason.
   */
  static async load(url: string | URL, options: LoadOptions = {}): Promise<Translator> {
    const base = typeof document === 'object' ? document.baseURI : undefined;
    return new Translator(await holdModel(new URL(url, base), options));
  }

  /** A model from a file of the reader's own, which never leaves this device. @param bytes given away */
  static async fromBytes(bytes: ArrayBuffer): Promise<Translator> {
    return new Translator(await holdOwnModel(bytes));
  }

  /** What the model says about itself. */
  get information(): ModelInformation {
    return this.model.information;
  }

  /**
   * Translates one sentence. An empty text has an empty translation.
   * Rejects with UsageError, SupersededError, EngineError or the signal's reason.
   */
  async translate(text: string, options: TranslateOptions = {}): Promise<Translation> {
    const { signal, supersede = false } = options;
    if (this.disposed) throw gone();
    const search = completeOptions(options);
    signal?.throwIfAborted();
    return this.call(signal, supersede, (engine, id, ended) => engine.translate(id, text, search, ended));
  }

  /**
   * For every token of a translation by this model, what was read and which tokens were the likeliest at its step. Rejects
   * with UsageError, EngineError or the signal's reason.
   */
  async steps(translation: Translation, options: StepsOptions = {}): Promise<DecodingStep[]> {
    if (this.disposed) throw gone();
    const { hypothesis = 0, count = 5, signal } = options;
    signal?.throwIfAborted();
    const { source, hypotheses, imposed } = translation;
    const chosen = hypotheses[hypothesis];
    if (!chosen)
      throw new UsageError(`There is no hypothesis ${hypothesis}; the translation has ${hypotheses.length}.`);
    const { target, alignment } = chosen;
    if (source.length === 0 || target.length === 0) return [];
    const ids = (tokens: readonly Token[]) => tokens.map(({ id }) => id);
    const row = (step: number) => alignment.slice(step * source.length, (step + 1) * source.length);
    const weights = (imposed?.weights ?? []).filter((step) => step < target.length);
    const sentence = {
      source: ids(source),
      target: ids(target),
      weights: weights.map((step) => [step, row(step)] as const),
      count,
    };
    return this.call(signal, false, (engine, id, ended) => engine.steps(id, sentence, ended));
  }

  /** Lets go of the model; the last translator of a model frees its memory. Calls under way reject with UsageError. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const call of this.calls) call.end(gone());
    this.model.release();
  }

  /** Asks the engine when its turn comes, until somebody ends the call. */
  private call<Answer>(
    signal: AbortSignal | undefined,
    supersede: boolean,
    question: (engine: Engine, model: ModelId, ended: AbortSignal) => Promise<Outcome<Answer | null>>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = new AbortController();
      const call: Call = {
        supersede,
        end: (reason) => {
          ended.abort();
          done();
          reject(reason);
        },
      };
      const abort = () => call.end(signal?.reason);
      const done = () => {
        this.calls.delete(call);
        signal?.removeEventListener('abort', abort);
      };
      if (supersede) for (const earlier of this.calls) if (earlier.supersede) earlier.end(new SupersededError());
      this.calls.add(call);
      signal?.addEventListener('abort', abort);
      const task = async () => {
        try {
          const answer = await this.model.ask((engine, id) => question(engine, id, ended.signal));
          // Whoever ended it knows already.
          if (answer !== null) resolve(answer);
        } catch (error) {
          reject(error);
        }
        done();
      };
      turns.take(task, () => !ended.signal.aborted);
    });
  }
}

function gone(): UsageError {
  return new UsageError('This translator was disposed of; load it again.');
}
