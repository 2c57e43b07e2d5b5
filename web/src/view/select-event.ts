import type { Selection } from './selection.ts';

/** A view's reader points at something else, or at nothing. */
export class SelectEvent extends Event {
  /** Whether it was pressed, and is to stay highlighted when the pointer goes elsewhere. */
  readonly hold: boolean;

  constructor(
    readonly selection: Selection | null,
    { hold = false } = {},
  ) {
    super('select');
    this.hold = hold;
  }
}
