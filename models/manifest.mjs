#!/usr/bin/env node
// Writes models/manifest.json from the model files beside it and their cards: node models/manifest.mjs
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('.', import.meta.url);
const order = [
  'en-fr.safetensors',
  'en-fr-dot.safetensors',
  'en-fr-none.safetensors',
  'g2p.safetensors',
  'dates.safetensors',
  'reverse-additive.safetensors',
  'reverse-dot.safetensors',
  'reverse-none.safetensors',
];
const rank = (file) => (order.includes(file) ? order.indexOf(file) : order.length);
/** Texts that are good to try, by task; the page begins with the first one. */
const examples = {
  translation: [
    'The black cat is sleeping on the bed.',
    'I bought a red apple.',
    "I don't know where she lives.",
    'Have you ever seen the sea?',
  ],
  pronunciation: ['alignment', 'thought', 'pneumonia', 'Massachusetts'],
  dates: ['Tuesday, March 3rd, 1998', '03/04/2011', 'the fourteenth of July, seventeen eighty-nine', "7.XII.'41"],
  reverse: ['softalign', 'abcdefghijklmnopqrst', 'aaaabbbbccccdddd', 'abracadabraislongerthanitlooksatfirst'],
};

/** What a model file's own metadata says of it. */
function describe(file) {
  const bytes = readFileSync(new URL(file, folder));
  const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString('utf8'));
  const { card } = JSON.parse(header.__metadata__.softalign);
  const { title, task, source, target, description } = card;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file, title, description, task, examples: examples[task], source, target, bytes: bytes.length, sha256 };
}

const files = readdirSync(folder)
  .filter((file) => file.endsWith('.safetensors'))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
const manifest = { models: files.map(describe) };
writeFileSync(new URL('manifest.json', folder), `${JSON.stringify(manifest, null, 2)}\n`);
