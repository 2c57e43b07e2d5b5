import type { Theme } from '../src/element/attributes.ts';
import type { SoftAlign } from '../src/element/soft-align.ts';

/** The settings of search and theme. @param changed called after the reader changes one   @returns shows the current settings */
export function offerSettings(search: HTMLFormElement, look: HTMLFormElement, stage: SoftAlign, changed: () => void) {
  const beam = search.elements.namedItem('beam') as HTMLSelectElement;
  const theme = look.elements.namedItem('theme') as HTMLSelectElement;
  const dress = () => {
    document.documentElement.dataset.theme = stage.theme;
  };
  beam.addEventListener('change', () => {
    stage.beam = Number(beam.value);
    changed();
  });
  theme.addEventListener('change', () => {
    stage.theme = theme.value as Theme;
    dress();
    changed();
  });
  search.hidden = false;
  look.hidden = false;
  return () => {
    // A link may ask for a width that is not among the usual ones.
    if (![...beam.options].some(({ value }) => Number(value) === stage.beam))
      beam.add(new Option(`${stage.beam} at once`, String(stage.beam)));
    beam.value = String(stage.beam);
    theme.value = stage.theme;
    dress();
  };
}
