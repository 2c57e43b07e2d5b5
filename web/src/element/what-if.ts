import type { ReactiveControllerHost } from 'lit';
import { UsageError } from '../errors.ts';
import type { Hypothesis, Token, Translation } from '../translation.ts';
import { type Decisions, decideWeights, decideWord } from './decisions.ts';

/** One thing that the reader decided. */
export interface Alteration {
  readonly step: number;
  readonly what: 'word' | 'weights';
}

/** What can be decided on: a hypothesis of a translation by the model that is there. */
export interface Subject {
  readonly translation: Translation;
  readonly shown: Hypothesis;
}

/** Keeps what the reader decided in the model's place, and has the rest of the sentence written again. */
export class WhatIf {
  /** In the order of the steps. */
  alterations: readonly Alteration[] = [];

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly subject: () => Subject | undefined,
    private readonly decide: (decisions: Decisions | undefined) => void,
  ) {}

  chooseWord(step: number, word: Pick<Token, 'id'> | string): void {
    const { translation, shown } = this.subjectAt(step);
    this.alter({ step, what: 'word' }, (it) => it.step < step || (it.step === step && it.what === 'weights'));
    this.decide(decideWord(translation, shown, step, word));
  }

  chooseWeights(step: number, row: Float32Array): void {
    const { translation, shown } = this.subjectAt(step);
    this.alter({ step, what: 'weights' }, (it) => it.step < step);
    this.decide(decideWeights(translation, shown, step, row));
  }

  /** Lets the model decide everything again. */
  undo(): void {
    this.forget();
    this.decide(undefined);
  }

  /** For a translation that has nothing to do with what was decided. */
  forget(): void {
    this.alterations = [];
    this.host.requestUpdate();
  }

  altered(step: number): { word: boolean; weights: boolean } {
    const has = (what: Alteration['what']) => this.alterations.some((it) => it.step === step && it.what === what);
    return { word: has('word'), weights: has('weights') };
  }

  private alter(alteration: Alteration, stays: (other: Alteration) => boolean): void {
    this.alterations = [...this.alterations.filter(stays), alteration];
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
