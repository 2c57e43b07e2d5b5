import type { Token } from '../translation.ts';

/** The reader wants to see another step, or the steps by themselves. */
export class StepEvent extends Event {
  constructor(readonly to: number | 'play' | 'pause') {
    super('step');
  }
}

/** The reader decides in the model's place: the next token, a text in its place, or the shares that it reads. */
export class DecideEvent extends Event {
  constructor(readonly decision: Pick<Token, 'id'> | string | Float32Array) {
    super('decide');
  }
}
