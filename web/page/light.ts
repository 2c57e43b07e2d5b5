import type { SoftAlign } from '../src/element/soft-align.ts';
import type { Selection } from '../src/view/selection.ts';

/** Lights what a link says, where the translation has it: another model may have written fewer words. */
export function light(stage: SoftAlign, selection: Selection | null): void {
  const { target, source } = stage.alignment ?? { target: [], source: [] };
  const { row = null, column = null } = selection ?? {};
  if (selection && (row ?? 0) < target.length && (column ?? 0) < source.length) stage.select(selection);
}
