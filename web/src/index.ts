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
export type { LoadOptions } from './models.ts';
export type { SearchOptions } from './search-options.ts';
export type {
  Alternative,
  DecodingStep,
  Hypothesis,
  Imposed,
  ModelInformation,
  SearchNode,
  Token,
  Translation,
} from './translation.ts';
export { type StepsOptions, type TranslateOptions, Translator } from './translator.ts';
