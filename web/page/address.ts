// What the page shows, in the part of its address behind the hash, which no server is told.
import type { SoftAlign } from '../src/element/soft-align.ts';
import type { Theme } from '../src/element/theme-controller.ts';
import type { Selection } from '../src/view/selection.ts';

export interface State {
  /** File of the model; '' for one of the reader's own, which no link can hold. */
  readonly model: string;
  /** File of the model that it is compared with; '' for none. */
  readonly compare: string;
  readonly text: string;
  readonly beam: number;
  readonly theme: Theme;
  readonly pieces: boolean;
  readonly steps: boolean;
  readonly tree: boolean;
  readonly selection: Selection | null;
}

const themes: readonly string[] = ['auto', 'light', 'dark'] satisfies Theme[];
const widestBeam = 64;
/** Where the page's own models are. */
export const modelFolder = 'models/';
/** Among the page's own models: a link cannot make the page ask elsewhere. */
const modelFile = /^[\w-][\w.-]*\.safetensors$/;

/** @returns '' for the initial state, else '#' and what differs from it */
export function stateToHash(state: State, initial: State): string {
  const values = new URLSearchParams();
  if (state.model && state.model !== initial.model) values.set('model', state.model);
  if (state.compare) values.set('compare', state.compare);
  if (state.text !== initial.text) values.set('text', state.text);
  if (state.beam !== initial.beam) values.set('beam', String(state.beam));
  if (state.theme !== initial.theme) values.set('theme', state.theme);
  if (state.pieces !== initial.pieces) values.set('pieces', String(state.pieces));
  if (state.steps !== initial.steps) values.set('steps', String(state.steps));
  if (state.tree !== initial.tree) values.set('tree', String(state.tree));
  const { row = null, column = null } = state.selection ?? {};
  if (row !== null) values.set('row', String(row));
  if (column !== null) values.set('column', String(column));
  return values.size > 0 ? `#${values}` : '';
}

/** What is missing or makes no sense, as in a link that was cut or changed, is as it is initially. */
export function stateFromHash(hash: string, initial: State): State {
  const values = new URLSearchParams(hash.slice(1));
  const whole = (name: string): number | null => {
    const value = values.get(name);
    return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : null;
  };
  const file = (name: string): string | undefined => modelFile.exec(values.get(name) ?? '')?.[0];
  const theme = values.get('theme') ?? '';
  const flag = (name: string, otherwise: boolean) => (values.has(name) ? values.get(name) === 'true' : otherwise);
  const beam = whole('beam') ?? 0;
  const [row, column] = [whole('row'), whole('column')];
  return {
    model: file('model') ?? initial.model,
    compare: file('compare') ?? initial.compare,
    text: values.get('text') ?? initial.text,
    beam: beam >= 1 && beam <= widestBeam ? beam : initial.beam,
    theme: themes.includes(theme) ? (theme as Theme) : initial.theme,
    pieces: flag('pieces', initial.pieces),
    steps: flag('steps', initial.steps),
    tree: flag('tree', initial.tree),
    selection: row === null && column === null ? null : { row, column },
  };
}

/** What a link highlights, until the sentence that it is of has been translated. */
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
