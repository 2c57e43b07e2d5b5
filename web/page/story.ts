import type { SoftAlign } from '../src/element/soft-align.ts';
import { percent } from '../src/view/tell.ts';
import { type AlignmentView, alignWords, weightAt } from '../src/view/units.ts';
import { type Fact, factsOf } from './facts.ts';

/** Writes what the current sentence shows, each fact with the shares of its row; pointing at one highlights it in the picture. */
export function tellStory(list: HTMLElement, stage: SoftAlign): void {
  const { translation } = stage;
  if (!translation) return;
  const view = alignWords(translation, translation);
  const facts = isOfLanguages(stage) ? factsOf(view) : [];
  list.replaceChildren(...facts.map((fact) => item(fact, view, stage)));
  list.closest('section')?.toggleAttribute('hidden', facts.length === 0);
}

/** The facts are about the words of two languages: a date's digits or a pronunciation are of none. */
function isOfLanguages({ information }: SoftAlign): boolean {
  const { source, target } = information?.card ?? {};
  return [source, target].every((side) => !side || typeof (side as { language?: unknown }).language === 'string');
}

function item(fact: Fact, view: AlignmentView, stage: SoftAlign): HTMLElement {
  const entry = element('li');
  entry.append(element('h3', fact.title), element('p', fact.text), ...fact.rows.map((row) => shares(view, row)));
  entry.addEventListener('pointerenter', () => {
    // The rows of the picture are others while it shows word pieces, and a step keeps its row.
    if (!stage.pieces && !stage.steps) stage.select(fact.selection);
  });
  entry.addEventListener('pointerleave', () => {
    if (!stage.steps) stage.select(null);
  });
  return entry;
}

/** One row of the heatmap as a bar whose parts are as wide as their shares. */
function shares(view: AlignmentView, row: number): HTMLElement {
  const bar = element('div');
  bar.className = 'shares';
  view.source.forEach((unit, column) => {
    const weight = weightAt(view, row, column);
    if (weight < 0.005) return;
    const part = element('span', weight > 0.12 ? unit.text : '');
    part.title = `${unit.text} ${percent(weight)}`;
    part.style.flexGrow = String(weight);
    part.style.setProperty('--share', String(Math.round(100 * weight)));
    bar.append(part);
  });
  const line = element('div');
  line.className = 'row';
  line.append(element('b', view.target[row]?.text), bar);
  return line;
}

function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
