#!/usr/bin/env node
// Measures the WebAssembly build: npm run bench. One JSON object a line, as softalign bench --json prints them.
//   decoding  milliseconds a sentence, 20 words from 20 (date: 10 letters from 12), in Node.js and in headless Chromium; there also how long after
//             navigation the first sentence stood
//   bytes     what the page loads, and the models, as they are and Brotli-compressed
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { visit } from './browser.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const dist = join(root, 'web/dist');
const measured = join(root, 'build/bench');
const command = process.env.SOFTALIGN ?? join(root, 'build/native/native/softalign');
const folders = { '/': dist, '/bench/': here, '/measured/': measured };
const models = ['date', 'small', 'small-int8', 'full', 'full-int8'];

const round = (value) => Number(value.toPrecision(4));
const report = (record) => console.log(JSON.stringify(record));

/** Each in a fresh process: what one leaves behind does not burden the next. */
function measureInNode(model) {
  const output = execFileSync(process.execPath, [join(here, 'node.mjs'), join(measured, `${model}.safetensors`)]);
  return JSON.parse(output);
}

async function measureInChromium(model) {
  return (await visit(folders, `/bench/page.html?model=${model}`, () => globalThis.result)).answer;
}

async function measureDecoding() {
  for (const model of models) {
    for (const [where, measure] of [
      ['Node.js', measureInNode],
      ['Chromium', measureInChromium],
    ]) {
      const { first, median, p95 } = await measure(model);
      const record = { bench: 'decoding', where, model, milliseconds: round(median), p95_milliseconds: round(p95) };
      report({ ...record, ...(first && { first_sentence_milliseconds: round(first) }) });
    }
  }
}

/** @param quality of Brotli: 11 is its best, and takes minutes for a large model */
async function sizes(paths, quality) {
  let raw = 0;
  let brotli = 0;
  for (const path of paths) {
    const bytes = await readFile(path);
    raw += bytes.length;
    const parameters = { [constants.BROTLI_PARAM_QUALITY]: quality };
    brotli += (await promisify(brotliCompress)(bytes, { params: parameters })).length;
  }
  return { bytes: raw, brotli_bytes: brotli, brotli_quality: quality };
}

async function measureBytes() {
  const { asked } = await visit(folders, '/', () =>
    customElements.whenDefined('soft-align').then(
      () =>
        new Promise((settled) => {
          const element = document.querySelector('soft-align');
          element.addEventListener('result', () => settled('translated'), { once: true });
          element.text = 'A house.';
        }),
    ),
  );
  const ending = (extension) => asked.filter((path) => extname(path) === extension);
  report({ bench: 'bytes', of: 'WebAssembly', ...(await sizes(ending('.wasm'), 11)) });
  report({ bench: 'bytes', of: 'JavaScript', ...(await sizes(ending('.js'), 11)) });
  const files = [...ending('.safetensors'), ...models.map((model) => join(measured, `${model}.safetensors`))];
  for (const file of files) report({ bench: 'bytes', of: relative(root, file), ...(await sizes([file], 5)) });
}

if (!existsSync(dist) || !existsSync(command)) {
  console.error('There is nothing to measure yet: scripts/build makes the softalign command, npm run build the page.');
  process.exit(1);
}
await mkdir(measured, { recursive: true });
execFileSync(command, ['bench', '--save', measured]);
await measureBytes();
await measureDecoding();
