export {
  EngineError,
  type ErrorKind,
  ModelError,
  NetworkError,
  SoftAlignError,
  SupersededError,
  UnsupportedError,
  UsageError,
} from './errors.ts';
export type { Progress } from './loading/download.ts';
export type { LoadOptions } from './loading/models.ts';
export type { Hypothesis, ModelInformation, SearchOptions, Token, Translation } from './translation.ts';
export { type TranslateOptions, Translator } from './translator.ts';
