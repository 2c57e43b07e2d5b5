// What every measured decoder does, in Node and in a page: 20 words from 20, greedily, again and again.

const length = 20;

/** Target steps of a sentence. */
export const steps = length;

/** The source's ids, words of both models' vocabularies, none of them a symbol. */
export const sourceIds = Array.from({ length }, (_, i) => 4 + ((7 * i) % 60));

/** The same as text, for the models that `softalign bench --save` writes. */
export const sourceText = sourceIds.map((id) => `w${id}`).join(' ');

/**
 * Times a decoder that has been made ready. @param decode translates the sentence
 * @returns median and 95th percentile of a sentence in milliseconds
 */
export async function steadyState(decode, { sentences = 100, warmUpSentences = 20, warmUpMilliseconds = 2000 } = {}) {
  const begin = performance.now();
  for (let i = 0; i < warmUpSentences || performance.now() - begin < warmUpMilliseconds; i++) await decode();
  const times = new Float64Array(sentences);
  for (let i = 0; i < sentences; i++) {
    const start = performance.now();
    await decode();
    times[i] = performance.now() - start;
  }
  times.sort();
  return { median: times[Math.floor(sentences / 2)], p95: times[Math.floor(0.95 * sentences)] };
}
