import type { SoftAlign } from '../src/element/soft-align.ts';

/** What a newcomer to a model is told. */
export interface Introduction {
  readonly description?: string;
  /** Texts that are good to try, the first one first. */
  readonly examples?: readonly string[];
}

/** Tells what the model does, and offers its examples as buttons. */
export function introduce(place: HTMLElement, model: Introduction | undefined, stage: SoftAlign): void {
  const { description = '', examples = [] } = model ?? {};
  const [told, offered] = place.children as unknown as [HTMLElement, HTMLElement];
  told.textContent = description;
  told.hidden = !description;
  offered.hidden = examples.length === 0;
  offered.replaceChildren('Try ', ...examples.map((text) => button(text, stage)));
}

function button(text: string, stage: SoftAlign): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', () => {
    stage.text = text;
  });
  return made;
}
