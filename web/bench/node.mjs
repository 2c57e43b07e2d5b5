// Run by bench.mjs: node node.mjs NAME.safetensors prints the steady state of the WebAssembly core in Node.js as JSON.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sentenceOf, steadyState } from './decoding.mjs';

const core = new URL('../../build/wasm/web/bridge/softalign-core', import.meta.url).href;
const { default: createSoftalignCore } = await import(`${core}.js`);
const { ArrivingModel } = await createSoftalignCore({ wasmBinary: await readFile(new URL(`${core}.wasm`)) });
const file = new ArrivingModel();
file.append(await readFile(process.argv[2]), 0);
const model = file.open();
const sentence = sentenceOf(basename(process.argv[2], '.safetensors'));
const text = new TextEncoder().encode(sentence.text);
const options = { beam: 1, nbest: 1, lengthPenalty: 1, maxLength: sentence.steps, prefix: [], weights: [] };

const translate = () => {
  const search = model.search(text, options);
  search.advance(Number.POSITIVE_INFINITY);
  const translation = search.translation();
  search.delete();
  return translation;
};
const target = translate().hypotheses[0].target.map((token) => token.text);
console.log(JSON.stringify({ target, ...(await steadyState(translate)) }));
