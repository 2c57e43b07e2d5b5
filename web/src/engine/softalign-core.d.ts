// The Embind module of web/bridge, bound to this name by the build.
import type { Failure } from '../errors.ts';
import type { ImposedWeights, Search } from '../search-options.ts';
import type { DecodingStep, Hypothesis, SearchNode, Token } from '../translation.ts';

export interface CoreFailure {
  error: Failure;
}

export interface CoreTranslation {
  input: string;
  source: Token[];
  hypotheses: Hypothesis[];
  /** Target tokens that were imposed. */
  prefix: number;
  tree?: SearchNode[];
  /** Nodes that were too many; only where there is a tree. */
  treeLeftOut?: number;
}

export interface CoreInformation {
  /** JSON */
  configuration: string;
  /** JSON */
  card: string;
  sourceVocabulary: number;
  targetVocabulary: number;
  parameters: number;
}

export interface CoreModel {
  information(): CoreInformation | CoreFailure;
  /** @param utf8 the text's bytes */
  search(utf8: Uint8Array, search: Search): CoreSearch | CoreFailure;
  /** @param target ids from BOS to EOS   @returns a row of target vocabulary size for every step */
  logits(source: number[], target: number[]): Float32Array | CoreFailure;
  /** @param target ids without BOS   @param count alternatives a step */
  walk(source: number[], target: number[], weights: ImposedWeights, count: number): CoreWalk | CoreFailure;
  delete(): void;
}

/** Work that has been begun, and holds its model. */
export interface CoreWork {
  /** Goes on for about so many milliseconds. @returns whether there is more to do */
  advance(milliseconds: number): boolean | CoreFailure;
  delete(): void;
}

export interface CoreSearch extends CoreWork {
  /** What was found. */
  translation(): CoreTranslation | CoreFailure;
}

export interface CoreWalk extends CoreWork {
  /** Those that were taken. */
  steps(): DecodingStep[] | CoreFailure;
}

export interface CoreArrivingModel {
  /** @param total bytes in all; 0 where that is unknown   @returns null, or a failure */
  append(piece: Uint8Array, total: number): CoreFailure | null;
  /** Takes the bytes. */
  open(): CoreModel | CoreFailure;
  delete(): void;
}

export interface Core {
  ArrivingModel: new () => CoreArrivingModel;
}

export default function createSoftalignCore(module: { wasmBinary: ArrayBuffer }): Promise<Core>;
