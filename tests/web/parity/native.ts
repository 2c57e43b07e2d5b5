// What the native library says of a model, through the executable parity_dump.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dumped } from './compare.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const core = join(root, 'build/wasm/web/bridge/softalign-core');
const dump = process.env.SOFTALIGN_PARITY_DUMP ?? join(root, 'build/native/tests/web/parity_dump');

const sentences = [
  'The black cat is sleeping on the bed.',
  "I don't know what to say.",
  'She gave me a red apple yesterday.',
  'the cat',
  'Ünïcödé 😀 שלום',
  'Cafe\u0301 at noon?',
  'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(4).trim(),
];

/** A line of JSON for every sentence. @param file a model */
export function dumpNative(file: string): string[] {
  const output = execFileSync(dump, [file], { input: `${sentences.join('\n')}\n`, maxBuffer: 1 << 30 });
  const lines = output.toString().trim().split('\n');
  if (lines.length !== sentences.length) throw new Error(`${lines.length} lines for ${sentences.length} sentences`);
  return lines;
}

export function parse(lines: string[]): Dumped[] {
  return lines.map((line) => JSON.parse(line));
}

/** Paths of the shipped models. */
export function shippedModels(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'models/manifest.json'), 'utf8'));
  if (manifest.models.length === 0) throw new Error('models/manifest.json names no model');
  return manifest.models.map(({ file }: { file: string }) => join(root, 'models', file));
}
