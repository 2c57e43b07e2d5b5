// Small models for tests: the weights of a golden case with vocabularies of words, written as a model file.
import { readFile } from 'node:fs/promises';

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const golden = new URL('../golden/', import.meta.url);

const sourceWords = 'the a black white red small cat dog bird apple is sleeping eating runs on under bed table .'.split(
  ' ',
);
const targetWords =
  'le la un une noir noire blanc rouge petit petite chat chien oiseau pomme dort mange court sur sous lit table . est il elle'.split(
    ' ',
  );

/** @param name a golden case   @returns the bytes of a valid model file */
export async function goldenModel(name = 'additive-bidirectional'): Promise<Uint8Array> {
  const { config } = JSON.parse(await readFile(new URL(`${name}/case.json`, golden), 'utf8'));
  const file = await readFile(new URL(`${name}/tensors.safetensors`, golden));
  const length = Number(file.readBigUInt64LE());
  const header: Record<string, Entry> = JSON.parse(file.toString('utf8', 8, 8 + length));
  const parameters = Object.entries(header).filter(([key]) => key.startsWith('w.'));
  const tensors: Record<string, Entry> = {};
  const data: Buffer[] = [];
  let at = 0;
  for (const [key, { dtype, shape, data_offsets }] of parameters) {
    const bytes = file.subarray(8 + length + data_offsets[0], 8 + length + data_offsets[1]);
    tensors[key.slice(2)] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    data.push(bytes);
    at += bytes.length;
  }
  const softalign = {
    version: 1,
    configuration: config,
    tokenizers: { source: words(sourceWords), target: words(targetWords) },
    card: { task: `the golden case ${name}` },
  };
  const metadata = { __metadata__: { softalign: JSON.stringify(softalign) }, ...tensors };
  const text = Buffer.from(JSON.stringify(metadata));
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, ' ')]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([size, padded, ...data]);
}

function words(symbols: string[]) {
  return { kind: 'words', symbols, append_eos: false };
}
