import type { ReactiveControllerHost } from 'lit';
import type { Hypothesis, Token, Translation } from '../translation.ts';
import { type Decisions, decideWeights, decideWord } from './decisions.ts';

/** One thing that the reader decided. */
export interface Alteration {
  readonly step: number;
  readonly what: 'word' | 'weights';
}

/** Keeps what the reader decided in the model's place, and has the rest of the sentence written again. */
export class WhatIf {
  /** In the order of the steps. */
  alterations: readonly Alteration[] = [];

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly decide: (decisions: Decisions | undefined) => void,
  ) {}

  chooseWord(translation: Translation, shown: Hypothesis, step: number, word: Pick<Token, 'id'> | string): void {
    this.alter(
      { step, what: 'word' },
      (other) => other.step < step || (other.step === step && other.what === 'weights'),
    );
    this.decide(decideWord(translation, shown, step, word));
  }

  chooseWeights(translation: Translation, shown: Hypothesis, step: number, row: Float32Array): void {
    this.alter({ step, what: 'weights' }, (other) => other.step < step);
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
    const has = (what: Alteration['what']) =>
      this.alterations.some((alteration) => alteration.step === step && alteration.what === what);
    return { word: has('word'), weights: has('weights') };
  }

  private alter(alteration: Alteration, stays: (other: Alteration) => boolean): void {
    this.alterations = [...this.alterations.filter(stays), alteration];
    this.host.requestUpdate();
  }
}
