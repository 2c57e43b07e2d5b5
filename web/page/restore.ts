import { valuesFor } from '../src/element/attributes.ts';
import type { SoftAlign } from '../src/element/soft-align.ts';
import { LinkedHighlight, type State, stateFromHash, stateToHash } from './address.ts';
import type { Models } from './models.ts';

/** Keeps the page's state in its address, and the address's state in the page. */
export class AddressBar {
  private readonly initial: State;
  private readonly linked: LinkedHighlight;

  constructor(
    private readonly stage: SoftAlign,
    private readonly models: Models,
    /** Called when the state came from the address. */
    private readonly restored: () => void,
  ) {
    this.initial = this.state();
    this.linked = new LinkedHighlight(stage);
    addEventListener('hashchange', () => this.restore());
    stage.addEventListener('result', () => this.follow());
  }

  /** Whether the page shows its own first sentence. */
  get showsExample(): boolean {
    const { model, shown } = this.state();
    return model === this.initial.model && shown.text === this.initial.shown.text;
  }

  restore(): void {
    const { model, compare, shown, selection } = stateFromHash(location.hash, this.initial);
    Object.assign(this.stage, shown);
    this.models.model = model;
    this.models.compare = compare;
    // The content between the tags is the translation of the first example.
    if (!this.showsExample) this.stage.replaceChildren();
    this.linked.selection = selection;
    this.restored();
  }

  /** Writes what is shown into the address, except the highlight, which changes with every move of the pointer. */
  follow(): void {
    this.write({ ...this.state(), selection: this.linked.selection });
  }

  /** The address for what is shown and highlighted. */
  link(): string {
    this.write(this.state());
    return location.href;
  }

  private write(state: State): void {
    const { pathname, search } = location;
    history.replaceState(null, '', `${pathname}${search}${stateToHash(state, this.initial)}`);
  }

  private state(): State {
    const { model, compare } = this.models;
    return { model, compare, shown: valuesFor(this.stage, 'address'), selection: this.stage.selection };
  }
}
