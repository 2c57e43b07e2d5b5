import type { Selection } from './selection.ts';

/** A view's reader points at something else, or at nothing. */
export class SelectEvent extends Event {
  constructor(readonly selection: Selection | null) {
    super('select');
  }
}
