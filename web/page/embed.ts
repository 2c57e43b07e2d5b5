// One element in a frame: what it shows is in the frame's address, and its height is sent to the page around it.
import { valuesFor } from '../src/element/attributes.ts';
import type { SoftAlign } from '../src/element/soft-align.ts';
import '../src/element/soft-align.ts';
import { translationFromJson } from '../src/translation.ts';
import { LinkedHighlight, modelFolder, type State, stateFromHash } from './address.ts';

const stage = document.querySelector('soft-align') as SoftAlign;
const initial: State = {
  model: stage.src.slice(modelFolder.length),
  compare: '',
  shown: valuesFor(stage, 'address', 'frame'),
  selection: null,
};
const linked = new LinkedHighlight(stage);

function restore(): void {
  const { model, shown, selection } = stateFromHash(location.hash, initial);
  Object.assign(stage, shown, { src: `${modelFolder}${model}` });
  document.documentElement.dataset.theme = stage.theme;
  linked.selection = selection;
}

function tellSize(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  // To any page around it, because a height is no secret.
  parent.postMessage({ type: 'softalign:size', height }, '*');
}

addEventListener('hashchange', restore);
restore();
const example = document.querySelector('#example')?.textContent;
if (stage.text !== initial.shown.text || stage.src !== `${modelFolder}${initial.model}`) {
  // The content between the tags is the translation of the example.
  stage.replaceChildren();
} else if (example) stage.translation = translationFromJson(example);

if (parent !== window) {
  new ResizeObserver(tellSize).observe(document.documentElement);
  // The page around it may have started to listen after the first message.
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.type === 'softalign:size') tellSize();
  });
}
