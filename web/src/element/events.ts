import type { SoftAlignError } from '../errors.ts';
import type { ModelInformation, Translation } from '../translation.ts';

/** The model is loaded and translates. */
export class ReadyEvent extends Event {
  constructor(readonly information: ModelInformation) {
    super('ready');
  }
}

/** Bytes of the model arrive; `total` is undefined if the server does not report it. */
export class LoadProgressEvent extends Event {
  constructor(
    readonly loaded: number,
    readonly total: number | undefined,
  ) {
    super('progress');
  }
}

/** There is a new translation. */
export class ResultEvent extends Event {
  constructor(readonly translation: Translation) {
    super('result');
  }
}

/** Loading or translating failed; `error.message` says what to do. */
export class FailureEvent extends Event {
  constructor(readonly error: SoftAlignError) {
    super('error');
  }
}

export interface SoftAlignEventMap {
  ready: ReadyEvent;
  progress: LoadProgressEvent;
  result: ResultEvent;
  error: FailureEvent;
}
