import type { SoftAlign } from '../src/element/soft-align.ts';
import type { Theme } from '../src/element/theme-controller.ts';

/** The controls of the page's head. @param changed called after the reader changed one   @returns shows what is set */
export function offerSettings(form: HTMLFormElement, stage: SoftAlign, changed: () => void): () => void {
  const beam = form.elements.namedItem('beam') as HTMLSelectElement;
  const theme = form.elements.namedItem('theme') as HTMLSelectElement;
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
  form.hidden = false;
  return () => {
    // A link may ask for a width that is not among the usual ones.
    if (![...beam.options].some(({ value }) => Number(value) === stage.beam))
      beam.add(new Option(`${stage.beam} at once`, String(stage.beam)));
    beam.value = String(stage.beam);
    theme.value = stage.theme;
    dress();
  };
}
