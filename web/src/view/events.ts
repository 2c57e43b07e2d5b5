// Events of the views for the element that holds them.
import type { Token } from '../translation.ts';
import type { Selection } from './selection.ts';

/** The reader points at something else, or at nothing. */
export class SelectEvent extends Event {
  /** Whether it was pressed, and should stay highlighted when the pointer moves away. */
  readonly hold: boolean;

  constructor(
    readonly selection: Selection | null,
    { hold = false } = {},
  ) {
    super('select');
    this.hold = hold;
  }
}

/** The reader wants to see another step, or the steps by themselves. */
export class StepEvent extends Event {
  constructor(readonly to: number | 'play' | 'pause') {
    super('step');
  }
}

/** The reader imposes something on a step: the next token, a text in its place, or the shares that it reads. */
export class ImposeEvent extends Event {
  constructor(readonly imposed: Pick<Token, 'id'> | string | Float32Array) {
    super('impose');
  }
}

/** The reader wants to see another hypothesis. */
export class ChooseEvent extends Event {
  constructor(readonly hypothesis: number) {
    super('choose');
  }
}
