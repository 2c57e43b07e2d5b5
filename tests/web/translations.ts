// Translations written by hand, for tests of the views.
import type { Hypothesis, Token, Translation } from '../../web/src/translation.ts';

export const end = '</s>';

/**
 * Tokens of a text whose pieces are separated by spaces; a piece that begins with + continues the word before it, and one
 * that begins with * stands there as another word.
 */
export function tokens(pieces: string): Token[] {
  let at = 0;
  let word = -1;
  return pieces.split(' ').map((piece, id) => {
    const special = piece === end;
    const startsWord = !/^[+*]/.test(piece);
    const text = startsWord ? piece : piece.slice(1);
    if (!piece.startsWith('+')) word += 1;
    if (startsWord && !special && at > 0) at += 1;
    const begin = at;
    if (!special) at += text.length;
    return { id, text, begin, end: at, special, startsWord, word };
  });
}

/** @param rows the alignment, one list of weights per target token */
export function translation(source: string, target: string, rows: number[][]): Translation {
  const hypothesis: Hypothesis = {
    text: textOf(tokens(target)),
    target: tokens(target),
    alignment: new Float32Array(rows.flat()),
    score: -0.5,
    logProbability: -1,
    stepLogProbabilities: new Float32Array(rows.length).fill(-0.25),
    finished: true,
    leaf: 0,
  };
  const { text, alignment, score } = hypothesis;
  return {
    input: textOf(tokens(source)),
    source: tokens(source),
    text,
    target: hypothesis.target,
    alignment,
    score,
    hypotheses: [hypothesis],
  };
}

function textOf(list: readonly Token[]): string {
  let text = '';
  for (const token of list) if (!token.special) text = text.padEnd(token.begin) + token.text;
  return text;
}
