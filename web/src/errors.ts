export type ErrorKind = 'unsupported' | 'network' | 'model' | 'usage' | 'memory' | 'engine' | 'superseded';

/** Any error of this package except an abort, which rejects with the signal's reason, as `fetch` does. */
export class SoftAlignError extends Error {
  // Written out, since a minifier renames classes.
  override readonly name: string = 'SoftAlignError';

  constructor(
    readonly kind: ErrorKind,
    /** A sentence that says what to do. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** This browser, or this page's Content Security Policy, cannot run the engine. */
export class UnsupportedError extends SoftAlignError {
  override readonly name = 'UnsupportedError';

  constructor(message: string, options?: ErrorOptions) {
    super('unsupported', message, options);
  }
}

/** A file did not arrive. */
export class NetworkError extends SoftAlignError {
  override readonly name = 'NetworkError';
  /** The HTTP status that the server refused the file with, if there is one. */
  readonly status: number | undefined;

  constructor(message: string, options?: ErrorOptions & { status?: number }) {
    super('network', message, options);
    this.status = options?.status;
  }
}

/** What arrived is not a model that can be used. */
export class ModelError extends SoftAlignError {
  override readonly name = 'ModelError';

  constructor(message: string, options?: ErrorOptions) {
    super('model', message, options);
  }
}

/** A call with options that make no sense, or on a disposed translator. */
export class UsageError extends SoftAlignError {
  override readonly name = 'UsageError';

  constructor(message: string, options?: ErrorOptions) {
    super('usage', message, options);
  }
}

/** The engine ran out of memory or stopped. */
export class EngineError extends SoftAlignError {
  override readonly name = 'EngineError';

  constructor(message: string, options?: ErrorOptions & { kind?: 'memory' | 'engine' }) {
    super(options?.kind ?? 'engine', message, options);
  }
}

/** A newer call took this one's place. */
export class SupersededError extends SoftAlignError {
  override readonly name = 'SupersededError';

  constructor() {
    super('superseded', 'A newer translation took the place of this one; use the newer result.');
  }
}

/** An error as it crosses from the engine, because structured cloning does not keep classes. */
export interface Failure {
  readonly kind: Exclude<ErrorKind, 'network' | 'superseded'>;
  readonly message: string;
}

export function errorFrom({ kind, message }: Failure): SoftAlignError {
  switch (kind) {
    case 'unsupported':
      return new UnsupportedError(message);
    case 'model':
      return new ModelError(message);
    case 'usage':
      return new UsageError(message);
    default:
      return new EngineError(message, { kind });
  }
}
