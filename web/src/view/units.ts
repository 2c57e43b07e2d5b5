import type { Hypothesis, Token, Translation } from '../translation.ts';

/** One row or column of the heatmap: a word, a piece of one, or a special symbol. */
export interface Unit {
  readonly text: string;
  readonly special: boolean;
  /** Whether a space precedes it. */
  readonly startsWord: boolean;
  /** Indices of the tokens it was made of. */
  readonly tokens: readonly number[];
}

/** An alignment as it is drawn: `target.length` rows of `source.length` weights. */
export interface AlignmentView {
  readonly source: readonly Unit[];
  readonly target: readonly Unit[];
  /** Row by row; empty if the model has no attention. */
  readonly weights: Float32Array;
}

type Aligned = Pick<Hypothesis, 'text' | 'target' | 'alignment'>;

/** Every token on its own. */
export function alignPieces(translation: Pick<Translation, 'source'>, hypothesis: Aligned): AlignmentView {
  return {
    source: translation.source.map(single),
    target: hypothesis.target.map(single),
    weights: hypothesis.alignment,
  };
}

/**
 * The words that the core counts: subwords joined, punctuation beside them; the letters of a model that reads letters
 * stay apart. What a target word read is the mean over its pieces, which are steps of the decoder; what was read of a source word is the sum over
 * its pieces. So every row still sums to one.
 */
export function alignWords(translation: Pick<Translation, 'input' | 'source'>, hypothesis: Aligned): AlignmentView {
  const source = join(translation.source, translation.input);
  const target = join(hypothesis.target, hypothesis.text);
  const columns = translation.source.length;
  if (hypothesis.alignment.length === 0) return { source, target, weights: hypothesis.alignment };
  const weights = new Float32Array(target.length * source.length);
  target.forEach((word, row) => {
    source.forEach((read, column) => {
      let sum = 0;
      for (const t of word.tokens) for (const s of read.tokens) sum += hypothesis.alignment[t * columns + s] ?? 0;
      weights[row * source.length + column] = sum / word.tokens.length;
    });
  });
  return { source, target, weights };
}

/** The weight that row `row` gave to column `column`. */
export function weightAt(view: AlignmentView, row: number, column: number): number {
  return view.weights[row * view.source.length + column] ?? 0;
}

/** Whether there are weights to draw: an empty sentence has none yet. */
export function hasAttention({ weights, target }: AlignmentView): boolean {
  return weights.length > 0 || target.length === 0;
}

/** Whether joining changes anything, so that a switch is worth showing. */
export function hasSubwords(translation: Pick<Translation, 'source' | 'target'>): boolean {
  const joins = (tokens: readonly Token[]) => tokens.some(({ word }, index) => word === tokens[index - 1]?.word);
  return joins(translation.source) || joins(translation.target);
}

function single(token: Token, index: number): Unit {
  return { text: readable(token), special: token.special, startsWord: token.startsWord, tokens: [index] };
}

function join(tokens: readonly Token[], text: string): Unit[] {
  const groups: number[][] = [];
  tokens.forEach((token, index) => {
    if (token.word === tokens[index - 1]?.word) groups.at(-1)?.push(index);
    else groups.push([index]);
  });
  return groups.map((group) => {
    const members = group.map((index) => tokens[index] as Token);
    const [first, last] = [members[0] as Token, members.at(-1) as Token];
    if (group.length === 1) return single(first, group[0] as number);
    const { startsWord } = first;
    return { text: text.slice(first.begin, last.end).trim(), special: false, startsWord, tokens: group };
  });
}

/** A special symbol by what it does; a lone space as something that can be seen. */
export function readable(token: Pick<Token, 'text' | 'special'>): string {
  if (token.special) return token.text === '</s>' ? '(end)' : token.text;
  return token.text.trim() === '' ? '␣' : token.text;
}

/** The current view: the same object as long as nothing changes, so that nothing is redrawn. */
export class DrawnView {
  private hypothesis: Hypothesis | undefined;
  private pieces = false;
  private view: AlignmentView | undefined;

  of(translation: Translation, hypothesis: Hypothesis, pieces: boolean): AlignmentView {
    if (!this.view || hypothesis !== this.hypothesis || pieces !== this.pieces) {
      const align = pieces ? alignPieces : alignWords;
      this.view = align(translation, hypothesis);
    }
    this.hypothesis = hypothesis;
    this.pieces = pieces;
    return this.view;
  }
}
