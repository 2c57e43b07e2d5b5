#!/usr/bin/env node
// Writes models/manifest.json from the model files beside it and their cards: node models/manifest.mjs
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('.', import.meta.url);
const order = ['en-fr.safetensors', 'en-fr-dot.safetensors', 'en-fr-none.safetensors'];
const rank = (file) => (order.includes(file) ? order.indexOf(file) : order.length);

/** What a model file's own metadata says of it. */
function describe(file) {
  const bytes = readFileSync(new URL(file, folder));
  const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString('utf8'));
  const { card } = JSON.parse(header.__metadata__.softalign);
  const { title, task, source, target, description } = card;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file, title, description, task, source, target, bytes: bytes.length, sha256 };
}

const files = readdirSync(folder)
  .filter((file) => file.endsWith('.safetensors'))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
const manifest = { models: files.map(describe) };
writeFileSync(new URL('manifest.json', folder), `${JSON.stringify(manifest, null, 2)}\n`);
