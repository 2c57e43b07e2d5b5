import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Alternative, DecodingStep, Translation } from '../translation.ts';

/** Time to read one step while they play, in milliseconds. */
const pace = 1800;

/** Goes through a translation one token at a time, with what was read and what could have been written instead. */
export class StepController implements ReactiveController {
  /** The step that is shown. */
  step = 0;
  /** Of every step of a hypothesis; undefined until they have arrived. */
  private details: readonly DecodingStep[] | undefined;
  private of: Translation | undefined;
  private hypothesis = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly ask: (translation: Translation, hypothesis: number) => Promise<DecodingStep[] | undefined>,
    /** Called after another step is shown. */
    private readonly moved: () => void,
  ) {
    host.addController(this);
  }

  get playing(): boolean {
    return this.timer !== undefined;
  }

  /** What happened at the step that is shown. */
  get shown(): DecodingStep | undefined {
    return this.details?.[this.step];
  }

  /** What the hypothesis has at this step. */
  get written(): Alternative | undefined {
    const { target, stepLogProbabilities } = this.of?.hypotheses[this.hypothesis] ?? {};
    const token = target?.[this.step];
    return token && { ...token, probability: Math.exp(stepLogProbabilities?.[this.step] ?? 0) };
  }

  hostDisconnected(): void {
    this.pause();
  }

  /** Starts with a hypothesis of a translation, unless it is already shown; the same sentence keeps its step. */
  async begin(translation: Translation, hypothesis: number): Promise<void> {
    if (translation === this.of && hypothesis === this.hypothesis) return;
    const again = translation.input === this.of?.input;
    // For the same sentence, the old ones stay until the new ones arrive, so that nothing flickers.
    if (!again) this.details = undefined;
    this.of = translation;
    this.hypothesis = hypothesis;
    this.pause();
    this.show(again ? Math.min(this.step, this.length - 1) : 0);
    const details = await this.ask(translation, hypothesis);
    if (translation !== this.of || hypothesis !== this.hypothesis) return;
    this.details = details;
    this.host.requestUpdate();
  }

  /** @returns whether there is such a step */
  show(step: number): boolean {
    if (step < 0 || step >= this.length) return false;
    this.step = step;
    this.moved();
    this.host.requestUpdate();
    return true;
  }

  /** From the current step to the last one; from the first one if it is already the last. */
  play(): void {
    if (this.step + 1 >= this.length) this.show(0);
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

  private get length(): number {
    return this.of?.hypotheses[this.hypothesis]?.target.length ?? 0;
  }
}
