#!/usr/bin/env node
// Random letters from a to t and the same backwards, to judge the reverse models with:
//   node models/data/reverse.mjs FOLDER      writes FOLDER/test.tsv: 100 lines of every length from 1 to 40
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from './random.mjs';

const longest = 40;
const ofEachLength = 100;
const letters = [...'abcdefghijklmnopqrst'];

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node models/data/reverse.mjs FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const random = new Random(1);
const lines = [];
for (let length = 1; length <= longest; length++) {
  for (let i = 0; i < ofEachLength; i++) {
    const word = Array.from({ length }, () => random.pick(letters));
    lines.push(`${word.join('')}\t${[...word].reverse().join('')}\n`);
  }
}
writeFileSync(join(folder, 'test.tsv'), lines.join(''));
