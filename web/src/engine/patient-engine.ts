import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
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

  async translate(model: ModelId, text: string, search: Search): Promise<Outcome<Translation>> {
    await breath();
    return this.engine.translate(model, text, search);
  }

  async steps(model: ModelId, sentence: Sentence): Promise<Outcome<DecodingStep[]>> {
    await breath();
    return this.engine.steps(model, sentence);
  }

  close(model: ModelId): void {
    this.engine.close(model);
  }
}

/** A turn of the event loop, after which input has been handled and a frame may have been painted. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
