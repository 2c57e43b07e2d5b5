/** How long a server may be silent before it counts as unreachable, if nothing else can serve, in milliseconds. */
export const longPatience = 30_000;

/** The same, if a kept file can serve instead. */
export const shortPatience = 3000;

/** A silence is this many beats long. */
const beats = 4;

/**
 * Ends a wait for a silent server. Silence is counted in beats, not by the clock: a busy thread or a sleeping device misses
 * beats, and hears nothing meanwhile.
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

  /** Aborted when patience runs out. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get lost(): boolean {
    return this.silent >= beats;
  }

  /** The server sent something: the silence starts again. */
  heard(): void {
    this.silent = 0;
  }

  /** Ends the wait; what has not arrived by now is aborted. */
  leave(): void {
    this.stop(new DOMException('The wait has ended.', 'AbortError'));
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
