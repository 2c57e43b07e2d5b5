// What the page or the frame shows, in the part of its address after the hash, which is never sent to a server.
import { type AttributeName, type Attributes, attributes } from '../src/element/attributes.ts';
import type { SoftAlign } from '../src/element/soft-align.ts';
import type { Selection } from '../src/view/selection.ts';

export interface State {
  /** File of the model; '' for one of the reader's own, which no link can hold. */
  readonly model: string;
  /** File of the model that it is compared with; '' for none. */
  readonly compare: string;
  /** The attributes of the element that this address has. */
  readonly shown: Partial<Attributes>;
  readonly selection: Selection | null;
}

/** Where the page's own models are. */
export const modelFolder = 'models/';
/** Among the page's own models: a link cannot make the page ask elsewhere. */
const modelFile = /^[\w-][\w.-]*\.safetensors$/;

/** @returns '' for the initial state, else '#' and what differs from it */
export function stateToHash(state: State, initial: State): string {
  const values = new URLSearchParams();
  if (state.model && state.model !== initial.model) values.set('model', state.model);
  if (state.compare) values.set('compare', state.compare);
  for (const name of Object.keys(initial.shown) as AttributeName[])
    if (state.shown[name] !== initial.shown[name]) values.set(name, String(state.shown[name]));
  const { row = null, column = null } = state.selection ?? {};
  if (row !== null) values.set('row', String(row));
  if (column !== null) values.set('column', String(column));
  return values.size > 0 ? `#${values}` : '';
}

/** Missing or invalid values, as in a link that was cut or changed, keep their initial state. */
export function stateFromHash(hash: string, initial: State): State {
  const values = new URLSearchParams(hash.slice(1));
  const file = (name: string): string | undefined => modelFile.exec(values.get(name) ?? '')?.[0];
  const place = (name: string): number | null => {
    const value = values.get(name) ?? '';
    return /^\d{1,6}$/.test(value) ? Number(value) : null;
  };
  const shown = Object.entries(initial.shown).map(([name, otherwise]) => {
    const written = values.get(name);
    return [name, (written === null ? undefined : attributes[name as AttributeName].read(written)) ?? otherwise];
  });
  const [row, column] = [place('row'), place('column')];
  return {
    model: file('model') ?? initial.model,
    compare: file('compare') ?? initial.compare,
    shown: Object.fromEntries(shown),
    selection: row === null && column === null ? null : { row, column },
  };
}

/** The highlight of a link, kept until its sentence has been translated. */
export class LinkedHighlight {
  private wanted: Selection | null = null;

  constructor(private readonly stage: SoftAlign) {
    stage.addEventListener('result', () => {
      this.show();
      // Another sentence has other words.
      if (stage.information) this.wanted = null;
    });
  }

  get selection(): Selection | null {
    return this.wanted;
  }
  set selection(selection: Selection | null) {
    this.wanted = selection;
    this.show();
  }

  /** Where the translation has it: another model may have written fewer words. */
  private show(): void {
    const { target, source } = this.stage.alignment ?? { target: [], source: [] };
    const { row, column } = this.wanted ?? {};
    if (this.wanted && (row ?? 0) < target.length && (column ?? 0) < source.length) this.stage.select(this.wanted);
  }
}
