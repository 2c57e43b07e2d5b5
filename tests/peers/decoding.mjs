#!/usr/bin/env node
// Greedy decoding by softalign and by others in turns, one thread: ONNX Runtime in Chromium and natively, TensorFlow.js
// in Chromium on the shape of its own example.
//   node tests/peers/decoding.mjs [ROUNDS]
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { visit } from '../../web/bench/browser.mjs';
import { sentenceOf, steadyState } from '../../web/bench/decoding.mjs';
import { greedyDecoder } from './onnxruntime.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(import.meta.url);
const peers = join(root, 'build/peers');
const command = process.env.SOFTALIGN ?? join(root, 'build/native/native/softalign');
const folders = {
  '/': join(root, 'web/dist'),
  '/bench/': join(root, 'web/bench'),
  '/web/bench/': join(root, 'web/bench'),
  '/measured/': join(root, 'build/bench'),
  '/peers/': join(root, 'tests/peers'),
  '/graphs/': peers,
  '/packages/': join(peers, 'node_modules'),
};

const inChromium = async (page, model) =>
  (await visit(folders, `${page}?model=${model}`, () => globalThis.result)).answer;

function softalignNatively(model, weights) {
  const wanted = ['bench', '--json', '--threads', '1', '--filter', `decoding ${model} ${weights}`];
  const lines = execFileSync(command, wanted).toString().trim().split('\n');
  const record = lines.map((line) => JSON.parse(line)).find(({ bench }) => bench === 'decoding');
  return { median: record.milliseconds_a_sentence };
}

/** In a process of its own, as softalign is. */
function onnxRuntimeNatively(model) {
  return JSON.parse(execFileSync(process.execPath, [here, '--onnxruntime-node', model]));
}

async function measureOnnxRuntimeNatively(model) {
  const ort = createRequire(join(peers, 'node_modules/'))('onnxruntime-node');
  const graphs = ['encoder', 'decoder'].map((part) => join(peers, `${model}.${part}.onnx`));
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'all' };
  console.log(JSON.stringify(await steadyState(await greedyDecoder(ort, ...graphs, sentenceOf(model), options))));
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const round = (value) => Number(value.toPrecision(3));

/** Milliseconds of each in turns, and what softalign's are of the peer's, by field. */
async function compare(conditions, rounds, fields, { softalign, peer }) {
  const measured = [];
  for (let i = 0; i < rounds; i++) measured.push({ softalign: await softalign(), peer: await peer() });
  for (const field of fields) {
    console.log(
      JSON.stringify({
        ...conditions,
        of: field,
        softalign_ms: round(median(measured.map((turn) => turn.softalign[field]))),
        peer_ms: round(median(measured.map((turn) => turn.peer[field]))),
        ratio: round(median(measured.map((turn) => turn.softalign[field] / turn.peer[field]))),
      }),
    );
  }
  return measured[0];
}

const sameWords = ({ softalign, peer }) => softalign.target.join() === peer.target.join();

async function main(rounds) {
  await compare(
    { where: 'Chromium', peer: 'TensorFlow.js', model: 'date', weights: 'f32' },
    rounds,
    ['median', 'first'],
    {
      softalign: () => inChromium('/bench/page.html', 'date'),
      peer: () => inChromium('/peers/tensorflow.html', 'date'),
    },
  );
  for (const model of ['small', 'full']) {
    for (const weights of ['f32', 'int8']) {
      const file = weights === 'int8' ? `${model}-int8` : model;
      const chromium = await compare(
        { where: 'Chromium', peer: 'onnxruntime-web', model, weights },
        rounds,
        ['median', 'first'],
        {
          softalign: () => inChromium('/bench/page.html', file),
          peer: () => inChromium('/peers/onnxruntime.html', model),
        },
      );
      if (weights === 'f32' && !sameWords(chromium)) console.error(`${model}: the words differ`);
      await compare({ where: 'native', peer: 'onnxruntime-node', model, weights }, rounds, ['median'], {
        softalign: () => softalignNatively(model, weights),
        peer: () => onnxRuntimeNatively(model),
      });
    }
  }
}

if (process.argv[2] === '--onnxruntime-node') await measureOnnxRuntimeNatively(process.argv[3]);
else await main(Number(process.argv[2] ?? 3));
