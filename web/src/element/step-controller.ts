import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Alternative, Translation } from '../translation.ts';

/** Time to read one step while they play, in milliseconds. */
const pace = 1800;

/** Goes through a translation one token at a time, with what could have been written instead. */
export class StepController implements ReactiveController {
  /** The step that is shown. */
  step = 0;
  /** Of every step; undefined until they have been asked for and have come. */
  alternatives: readonly (readonly Alternative[])[] | undefined;
  private of: Translation | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly ask: (translation: Translation) => Promise<Alternative[][] | undefined>,
    /** Called after another step is shown. */
    private readonly moved: () => void,
  ) {
    host.addController(this);
  }

  get playing(): boolean {
    return this.timer !== undefined;
  }

  hostDisconnected(): void {
    this.pause();
  }

  /** Begins with a translation, unless it is the one that is gone through already. */
  async begin(translation: Translation): Promise<void> {
    if (translation === this.of) return;
    this.of = translation;
    this.alternatives = undefined;
    this.pause();
    this.show(0);
    const alternatives = await this.ask(translation);
    if (translation !== this.of) return;
    this.alternatives = alternatives;
    this.host.requestUpdate();
  }

  /** @returns whether there is such a step */
  show(step: number): boolean {
    if (step < 0 || step >= (this.of?.target.length ?? 0)) return false;
    this.step = step;
    this.moved();
    this.host.requestUpdate();
    return true;
  }

  /** From the step that is shown to the last one; from the first one where it is the last. */
  play(): void {
    if (this.step + 1 >= (this.of?.target.length ?? 0)) this.show(0);
    this.timer = setInterval(() => {
      if (!this.show(this.step + 1)) this.pause();
    }, pace);
    this.host.requestUpdate();
  }

  pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.host.requestUpdate();
  }
}
