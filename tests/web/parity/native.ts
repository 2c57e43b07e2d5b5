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

/** A line of JSON for every text. @param file a model */
export function dumpNative(file: string, texts = sentences): string[] {
  const output = execFileSync(dump, [file], { input: `${texts.join('\n')}\n`, maxBuffer: 1 << 30 });
  const lines = output.toString().trim().split('\n');
  if (lines.length !== texts.length) throw new Error(`${lines.length} lines for ${texts.length} sentences`);
  return lines;
}

export function parse(lines: string[]): Dumped[] {
  return lines.map((line) => JSON.parse(line));
}

export interface ShippedModel {
  readonly path: string;
  /** What to compare it with. */
  readonly texts: string[];
}

/**
 * The shipped models. Those that read no sentences are given what they learnt to read: over the hundreds of letters that
 * they make of a sentence, the rounding of the first step grows without bounds.
 */
export function shippedModels(): ShippedModel[] {
  const { models } = JSON.parse(readFileSync(join(root, 'models/manifest.json'), 'utf8')) as {
    models: { file: string; task: string; examples: string[] }[];
  };
  if (models.length === 0) throw new Error('models/manifest.json names no model');
  return models.map(({ file, task, examples }) => ({
    path: join(root, 'models', file),
    texts: task === 'translation' ? sentences : examples,
  }));
}
