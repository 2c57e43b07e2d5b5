/** One token of a text. `begin` and `end` count UTF-16 code units, as JavaScript's strings do. */
export interface Token {
  readonly id: number;
  /** What a person reads: no word-boundary mark; a special symbol's name (`</s>`) if `special`. */
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  /** A symbol such as the end of the sentence, which is no part of the text. */
  readonly special: boolean;
  /** False for a piece that continues the word before it. */
  readonly startsWord: boolean;
  /** Counts the words of its text, or its characters where the model reads these: which row or column of the picture. */
  readonly word: number;
}

/** A token that could be written at one step. */
export interface Alternative extends Token {
  /** Given the tokens before it. */
  readonly probability: number;
}

/** What happens when one target token is written. */
export interface DecodingStep {
  /** The scores of the source tokens, before their softmax; empty if the model has no attention. */
  readonly energies: Float32Array;
  /** Their softmax, or the shares that were imposed in its place. */
  readonly weights: Float32Array;
  /** The likeliest tokens, best first. */
  readonly alternatives: readonly Alternative[];
}

/** A token that the search took into its beam. Hypotheses share their beginnings. */
export interface SearchNode extends Alternative {
  /** Index of the token before it; -1 for a first one. */
  readonly parent: number;
  /** Of the hypothesis up to here: its log-probability divided by length^alpha. */
  readonly score: number;
}

/** What was imposed on a translation. */
export interface Imposed {
  /** Target tokens that the translation had to begin with. */
  readonly prefix: number;
  /** Steps, counted from 0, that read with imposed weights. */
  readonly weights: readonly number[];
}

/** One translation of a sentence, with the alignment that belongs to it. */
export interface Hypothesis {
  readonly text: string;
  /** The tokens of `text`; the last one is the special end symbol when `finished`. */
  readonly target: readonly Token[];
  /** `target.length` rows of `source.length` weights, row by row; empty where the model has no attention. */
  readonly alignment: Float32Array;
  /** `logProbability` divided by length^alpha. */
  readonly score: number;
  /** Sum over the steps, natural logarithm. */
  readonly logProbability: number;
  /** One per target token. */
  readonly stepLogProbabilities: Float32Array;
  /** False if the length limit cut it off. */
  readonly finished: boolean;
  /** Its last token in the search's tree. */
  readonly leaf: number;
}

/** The translation of a sentence. The best hypothesis is repeated at the top. */
export interface Translation {
  /** The text that the source tokens' offsets refer to: the input in NFC with tidied spaces. */
  readonly input: string;
  readonly source: readonly Token[];
  readonly text: string;
  readonly target: readonly Token[];
  /** `target.length` rows of `source.length` weights, row by row; empty where the model has no attention. */
  readonly alignment: Float32Array;
  readonly score: number;
  /** At least one; best first, the finished ones before those that the length limit cut. */
  readonly hypotheses: readonly Hypothesis[];
  /** Absent if nothing was imposed. */
  readonly imposed?: Imposed;
  /** Every token that was in the beam, a parent before its children, at most 10,000; only where it was asked for. */
  readonly tree?: readonly SearchNode[];
  /** How many more tokens were in the beam, at later steps, where the tree has not all. */
  readonly treeLeftOut?: number;
}

/** What a model says about itself. */
export interface ModelInformation {
  /** The keys of the model file's configuration. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Task, languages, data, licence, figures: whatever its author wrote. */
  readonly card: Readonly<Record<string, unknown>>;
  readonly sourceVocabulary: number;
  readonly targetVocabulary: number;
  /** The number of learned values. */
  readonly parameters: number;
}

/** Four digits are more than the eye can distinguish. */
const digits = 4;

/** A translation as JSON, its numbers rounded. */
export function translationToJson(translation: Translation): string {
  return JSON.stringify(translation, (_, value) =>
    value instanceof Float32Array ? Array.from(value, rounded) : typeof value === 'number' ? rounded(value) : value,
  );
}

/** Counts stay as they are. */
function rounded(number: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(digits));
}

/** @param json what `translationToJson` wrote */
export function translationFromJson(json: string): Translation {
  const parsed = JSON.parse(json) as Translation;
  const revive = (hypothesis: Hypothesis): Hypothesis => ({
    ...hypothesis,
    alignment: new Float32Array(hypothesis.alignment),
    stepLogProbabilities: new Float32Array(hypothesis.stepLogProbabilities),
  });
  return { ...parsed, alignment: new Float32Array(parsed.alignment), hypotheses: parsed.hypotheses.map(revive) };
}
