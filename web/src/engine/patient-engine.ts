import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import { breath } from './breath.ts';
import type { ArrivingModel, Engine, ModelId, Outcome, Sentence } from './engine.ts';

/** An engine in the page's own thread that lets the page draw and answer its reader before every sentence. */
export class PatientEngine implements Engine {
  constructor(private readonly engine: Engine) {}

  get stopped(): boolean {
    return this.engine.stopped;
  }

  receive(): ArrivingModel {
    const model = this.engine.receive();
    return {
      append: (piece, total) => model.append(piece, total),
      open: async () => {
        await breath();
        return model.open();
      },
      discard: () => model.discard(),
    };
  }

  async translate(
    model: ModelId,
    text: string,
    search: Search,
    signal: AbortSignal,
  ): Promise<Outcome<Translation | null>> {
    await breath();
    return this.engine.translate(model, text, search, signal);
  }

  async steps(model: ModelId, sentence: Sentence, signal: AbortSignal): Promise<Outcome<DecodingStep[] | null>> {
    await breath();
    return this.engine.steps(model, sentence, signal);
  }

  close(model: ModelId): void {
    this.engine.close(model);
  }
}
