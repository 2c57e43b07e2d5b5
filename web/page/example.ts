// Run by the build, in Node: the page's first sentence, translated by the model itself.
import { startCore } from '../src/engine/core-engine.ts';
import type { Outcome } from '../src/engine/engine.ts';
import { completeOptions } from '../src/search-options.ts';
import type { Translation } from '../src/translation.ts';

/** @param wasm the core's bytes   @param model a model file's bytes */
export async function translateOnce(
  wasm: ArrayBuffer,
  model: ArrayBuffer,
  text: string,
  beam: number,
): Promise<Translation> {
  const engine = unwrap(await startCore(wasm));
  const arriving = engine.receive();
  arriving.append(new Uint8Array(model), model.byteLength);
  const { model: opened } = unwrap(await arriving.open());
  const never = new AbortController().signal;
  return unwrap(await engine.translate(opened.id, text, completeOptions({ beam }), never)) as Translation;
}

function unwrap<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw new Error(outcome.error.message);
  return outcome.value;
}

export { translationToJson } from '../src/translation.ts';
