// What the page shows, in the part of its address behind the hash, which no server is told.
import type { Theme } from '../src/element/theme-controller.ts';
import type { Selection } from '../src/view/selection.ts';

export interface State {
  readonly text: string;
  readonly beam: number;
  readonly theme: Theme;
  readonly pieces: boolean;
  readonly selection: Selection | null;
}

const themes: readonly string[] = ['auto', 'light', 'dark'] satisfies Theme[];
const widestBeam = 64;

/** @returns '' for the initial state, else '#' and what differs from it */
export function stateToHash(state: State, initial: State): string {
  const values = new URLSearchParams();
  if (state.text !== initial.text) values.set('text', state.text);
  if (state.beam !== initial.beam) values.set('beam', String(state.beam));
  if (state.theme !== initial.theme) values.set('theme', state.theme);
  if (state.pieces !== initial.pieces) values.set('pieces', String(state.pieces));
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
  const theme = values.get('theme') ?? '';
  const pieces = values.get('pieces');
  const beam = whole('beam') ?? 0;
  const [row, column] = [whole('row'), whole('column')];
  return {
    text: values.get('text') ?? initial.text,
    beam: beam >= 1 && beam <= widestBeam ? beam : initial.beam,
    theme: themes.includes(theme) ? (theme as Theme) : initial.theme,
    pieces: pieces === null ? initial.pieces : pieces === 'true',
    selection: row === null && column === null ? null : { row, column },
  };
}
