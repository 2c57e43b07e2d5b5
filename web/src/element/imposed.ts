// What the reader imposes on the model, as options for a search and as descriptions for the reader.
import type { ReactiveControllerHost } from 'lit';
import { UsageError } from '../errors.ts';
import type { SearchOptions } from '../search-options.ts';
import type { Hypothesis, Token, Translation } from '../translation.ts';

/** The options of a search that impose something. */
export type ImposedOptions = Required<Pick<SearchOptions, 'prefix' | 'weights'>>;

/** One thing that the reader imposed. */
export interface Imposition {
  readonly step: number;
  readonly what: 'word' | 'weights';
}

/** Something to impose on: a hypothesis of a translation by the current model. */
export interface Subject {
  readonly translation: Pick<Translation, 'source' | 'imposed'>;
  readonly shown: Pick<Hypothesis, 'target' | 'alignment'>;
}

/** Keeps what the reader imposed, and lets the model rewrite the rest of the sentence. */
export class Imposer {
  /** In the order of the steps. */
  impositions: readonly Imposition[] = [];

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly subject: () => Subject | undefined,
    /** Searches again; undefined imposes nothing. */
    private readonly search: (imposed: ImposedOptions | undefined) => void,
  ) {}

  word(step: number, word: Pick<Token, 'id'> | string): void {
    const subject = this.subjectAt(step);
    this.add({ step, what: 'word' }, (it) => it.step < step || (it.step === step && it.what === 'weights'));
    this.search(imposeWord(subject, step, word));
  }

  weights(step: number, row: Float32Array): void {
    const subject = this.subjectAt(step);
    this.add({ step, what: 'weights' }, (it) => it.step < step);
    this.search(imposeWeights(subject, step, row));
  }

  /** Leaves everything to the model again. */
  undo(): void {
    this.forget();
    this.search(undefined);
  }

  /** For a translation on which nothing was imposed. */
  forget(): void {
    this.impositions = [];
    this.host.requestUpdate();
  }

  at(step: number): { word: boolean; weights: boolean } {
    const has = (what: Imposition['what']) => this.impositions.some((it) => it.step === step && it.what === what);
    return { word: has('word'), weights: has('weights') };
  }

  private add(imposition: Imposition, stays: (other: Imposition) => boolean): void {
    this.impositions = [...this.impositions.filter(stays), imposition];
    this.host.requestUpdate();
  }

  private subjectAt(step: number): Subject {
    const subject = this.subject();
    if (!subject) throw new UsageError('There is no model yet to write the rest: wait for the result event.');
    const { length } = subject.shown.target;
    if (!(step in subject.shown.target))
      throw new UsageError(`There is no step ${step}: the translation has ${length}, counted from 0.`);
    return subject;
  }
}

/** Everything before a step stays; there, another token is written, or a text in its place. */
export function imposeWord(subject: Subject, step: number, word: Pick<Token, 'id'> | string): ImposedOptions {
  return {
    prefix: [...subject.shown.target.slice(0, step), word],
    weights: imposedWeights(subject, (imposed) => imposed <= step),
  };
}

/** Everything before a step stays; there, the source is read with other shares. */
export function imposeWeights(subject: Subject, step: number, row: Float32Array): ImposedOptions {
  const weights = imposedWeights(subject, (imposed) => imposed < step);
  weights.set(step, row);
  return { prefix: subject.shown.target.slice(0, step), weights };
}

/** The rows that were imposed earlier. */
function imposedWeights({ translation, shown }: Subject, stays: (step: number) => boolean): Map<number, Float32Array> {
  const { length } = translation.source;
  const row = (step: number) => shown.alignment.slice(step * length, (step + 1) * length);
  return new Map((translation.imposed?.weights ?? []).filter(stays).map((step) => [step, row(step)]));
}
