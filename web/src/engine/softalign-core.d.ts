// The Embind module of web/bridge, bound to this name by the build.
import type { Failure } from '../errors.ts';
import type { SearchOptions } from '../search-options.ts';
import type { Alternative, Hypothesis, Token } from '../translation.ts';

export interface CoreFailure {
  error: Failure;
}

export interface CoreTranslation {
  input: string;
  source: Token[];
  hypotheses: Hypothesis[];
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
  translate(utf8: Uint8Array, options: Required<SearchOptions>): CoreTranslation | CoreFailure;
  /** @param target ids from BOS to EOS   @returns a row of target vocabulary size for every step */
  logits(source: number[], target: number[]): Float32Array | CoreFailure;
  /** @param target ids without BOS   @returns for every target token what could have been written, best first */
  alternatives(source: number[], target: number[], count: number): Alternative[][] | CoreFailure;
  delete(): void;
}

export interface Core {
  Model: { open(bytes: Uint8Array): CoreModel | CoreFailure };
}

export default function createSoftalignCore(module: { wasmBinary: ArrayBuffer }): Promise<Core>;
