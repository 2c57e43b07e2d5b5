/** How long a server may say nothing before it counts as one that cannot be reached, where nothing else would serve, in milliseconds. */
export const longPatience = 30_000;

/** The same, where a file that was kept serves as well. */
export const shortPatience = 3000;

/** A silence is this many beats long. */
const beats = 4;

/**
 * Ends a wait for a server that says nothing. A silence is counted in beats and not by the clock: a thread that is busy, or a
 * device that sleeps, misses beats and hears nothing meanwhile.
 */
export class Patience {
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setInterval>;
  private silent = 0;
  private readonly follow = () => this.stop(this.outer?.reason);

  /** @param outer aborts `signal`, too */
  constructor(
    milliseconds: number,
    private readonly outer?: AbortSignal,
  ) {
    this.timer = setInterval(() => {
      this.silent++;
      if (this.lost) this.stop(new DOMException('The server does not answer.', 'TimeoutError'));
    }, milliseconds / beats);
    if (outer?.aborted) this.follow();
    outer?.addEventListener('abort', this.follow);
  }

  /** Aborted when patience is lost. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get lost(): boolean {
    return this.silent >= beats;
  }

  /** The server said something: the silence begins anew. */
  heard(): void {
    this.silent = 0;
  }

  /** Ends the wait, and what has not come any more does not come. */
  leave(): void {
    this.stop(new DOMException('Nothing more is waited for.', 'AbortError'));
  }

  /** Nothing is waited for any more. */
  end(): void {
    clearInterval(this.timer);
    this.outer?.removeEventListener('abort', this.follow);
  }

  private stop(reason: unknown): void {
    this.end();
    this.controller.abort(reason);
  }
}

/** The same for a wait that cannot be ended, only left. Rejects with what `lost` makes. */
export async function patiently<T>(promise: Promise<T>, milliseconds: number, lost: () => Error): Promise<T> {
  const patience = new Patience(milliseconds);
  const silence = new Promise<never>((_, reject) => {
    patience.signal.addEventListener('abort', () => reject(lost()));
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    patience.end();
  }
}
