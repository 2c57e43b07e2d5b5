// One element in a frame: what it shows is in the frame's address, and its height is told to the page around it.
import type { SoftAlign } from '../src/element/soft-align.ts';
import '../src/element/soft-align.ts';
import { translationFromJson } from '../src/translation-json.ts';
import { LinkedHighlight, modelFolder, type State, stateFromHash } from './address.ts';

const stage = document.querySelector('soft-align') as SoftAlign;
const initial: State = {
  model: stage.src.slice(modelFolder.length),
  compare: '',
  text: stage.text,
  beam: stage.beam,
  theme: 'auto',
  pieces: false,
  steps: false,
  tree: false,
  selection: null,
};
const linked = new LinkedHighlight(stage);

function restore(): void {
  const { model, text, beam, theme, pieces, steps, tree, selection } = stateFromHash(location.hash, initial);
  const editable = new URLSearchParams(location.hash.slice(1)).get('editable') === 'true';
  Object.assign(stage, { src: `${modelFolder}${model}`, text, beam, theme, pieces, steps, tree, editable });
  document.documentElement.dataset.theme = theme;
  linked.selection = selection;
}

function tellSize(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  // To whatever page is around it: a height is no secret.
  parent.postMessage({ type: 'softalign:size', height }, '*');
}

addEventListener('hashchange', restore);
restore();
const example = document.querySelector('#example')?.textContent;
if (stage.text !== initial.text || stage.src !== `${modelFolder}${initial.model}`) {
  // What stands between the tags is the example's translation.
  stage.replaceChildren();
} else if (example) stage.translation = translationFromJson(example);

if (parent !== window) {
  new ResizeObserver(tellSize).observe(document.documentElement);
  // The page around it may have begun to listen after the first telling.
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.type === 'softalign:size') tellSize();
  });
}
