// What every measured decoder does, in Node and in a page: one sentence, greedily, again and again.

/**
 * 20 words from 20, or 10 letters of a date from 12. @param model a file's name without its ending
 * @returns ids of the source, none of them a symbol, the same as text for the models that `softalign bench --save`
 * writes, and how many steps its translation has
 */
export function sentenceOf(model) {
  const [length, steps] = model.startsWith('date') ? [12, 10] : [20, 20];
  const ids = Array.from({ length }, (_, i) => 4 + ((7 * i) % 30));
  return { ids, text: ids.map((id) => `w${id}`).join(' '), steps };
}

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
