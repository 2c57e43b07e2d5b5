import type { ReactiveControllerHost } from 'lit';
import type { SelectEvent } from '../view/events.ts';
import { type Selection, sameSelection } from '../view/selection.ts';
import type { AlignmentView } from '../view/units.ts';

/** What is highlighted: what the reader points at, or what was pressed and stays when the pointer leaves. */
export class Highlight {
  selection: Selection | null = null;
  private held = false;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly view: () => AlignmentView | undefined,
  ) {}

  /** Throws RangeError if there is no such place. */
  set(selection: Selection | null, { hold = false } = {}): void {
    const { target = [], source = [] } = this.view() ?? {};
    const exists = (place: number | null, units: readonly unknown[]) => place === null || place in units;
    if (selection && !(exists(selection.row, target) && exists(selection.column, source))) {
      const { row, column } = selection;
      const size = `${target.length} rows and ${source.length} columns`;
      throw new RangeError(`There is no row ${row}, column ${column}: the heatmap has ${size}, counted from 0.`);
    }
    this.selection = selection;
    this.held = hold && selection !== null;
    this.host.requestUpdate();
  }

  /** Follows the reader's pointer and presses. */
  follow({ selection, hold }: SelectEvent): void {
    if (this.held && !hold) return;
    // Pressing it again releases it.
    const again = this.held && sameSelection(selection, this.selection);
    this.set(again ? null : selection, { hold });
  }
}
