// <soft-align> as an anywidget front-end module, for notebooks and MyST: https://anywidget.dev/en/afm/
// One file that includes the engine: hosts copy it, or run it from memory, so that nothing is beside it.
import wasm from 'softalign-core.wasm';
import { attributesFor } from '../src/element/attributes.ts';
import '../src/element/soft-align.ts';
import { bringAlong } from '../src/engine/shared.ts';
import { translationToJson } from '../src/translation.ts';

/** What a host shares with the widget: its traits. */
interface Traits {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

bringAlong(wasm);

function render({ model, el }: { model: Traits; el: HTMLElement }): () => void {
  // By its name: if each cell runs this module again, the page keeps the class of the first one.
  const element = document.createElement('soft-align');
  const listeners = new Map<string, () => void>();
  const follow = (trait: string, apply: (value: unknown) => void) => {
    const listener = () => {
      const value = model.get(trait);
      // If the host has no such trait, the element's default stays.
      if (value !== undefined && value !== null) apply(value);
    };
    listeners.set(`change:${trait}`, listener);
    listener();
  };
  for (const name of attributesFor('notebook')) follow(name, (value) => Object.assign(element, { [name]: value }));
  // Bytes arrive as a DataView, and no bytes at all as an empty one.
  follow('file', (value) => {
    const { buffer, byteOffset, byteLength } = value as DataView<ArrayBuffer>;
    if (byteLength > 0) void element.openModel(new Blob([new Uint8Array(buffer, byteOffset, byteLength)]));
  });
  for (const [event, listener] of listeners) model.on(event, listener);

  element.addEventListener('result', ({ translation }) => {
    model.set('text', element.text);
    model.set('result', JSON.parse(translationToJson(translation)));
    withKernel(() => model.save_changes());
  });
  el.append(element);
  return () => {
    element.remove();
    withKernel(() => {
      for (const [event, listener] of listeners) model.off(event, listener);
    });
  };
}

/** Does what throws on a page without a kernel, such as MyST's, where nothing is reported and no trait changes. */
function withKernel(action: () => void): void {
  try {
    action();
  } catch (error) {
    console.debug('There is no kernel to talk to.', error);
  }
}

export default { render };
