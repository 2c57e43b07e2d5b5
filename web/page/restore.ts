import type { SoftAlign } from '../src/element/soft-align.ts';
import { type State, stateFromHash, stateToHash } from './address.ts';

/** Keeps the page's state in its address, and the address's state in the page. */
export class AddressBar {
  private readonly initial: State;
  /** What a link lights, until the sentence that it is of has been translated. */
  private wanted: State['selection'] = null;

  constructor(
    private readonly stage: SoftAlign,
    /** Called when the state came from the address. */
    private readonly restored: () => void,
  ) {
    this.initial = stateOf(stage);
    addEventListener('hashchange', () => this.restore());
    stage.addEventListener('result', () => {
      this.light();
      if (stage.information) this.wanted = null;
      this.follow();
    });
  }

  /** Whether the page shows its own first sentence. */
  get showsExample(): boolean {
    return this.stage.text === this.initial.text;
  }

  restore(): void {
    const { selection, ...shown } = stateFromHash(location.hash, this.initial);
    this.wanted = selection;
    Object.assign(this.stage, shown);
    this.light();
    this.restored();
  }

  /** Writes into the address what is shown, but for what is lit, which changes with every move of the pointer. */
  follow(): void {
    this.write({ ...stateOf(this.stage), selection: this.wanted });
  }

  /** The address of what is shown and lit. */
  link(): string {
    this.write(stateOf(this.stage));
    return location.href;
  }

  private write(state: State): void {
    const { pathname, search } = location;
    history.replaceState(null, '', `${pathname}${search}${stateToHash(state, this.initial)}`);
  }

  private light(): void {
    const { target, source } = this.stage.alignment ?? { target: [], source: [] };
    const { row = null, column = null } = this.wanted ?? {};
    // Another model may have written fewer words than the one that the link was made with.
    if (this.wanted && (row ?? 0) < target.length && (column ?? 0) < source.length) this.stage.select(this.wanted);
  }
}

function stateOf({ text, beam, theme, pieces, selection }: SoftAlign): State {
  return { text, beam, theme, pieces, selection };
}
