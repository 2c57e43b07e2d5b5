import createSoftalignCore, {
  type Core,
  type CoreArrivingModel,
  type CoreFailure,
  type CoreModel,
} from 'softalign-core';
import type { Failure } from '../errors.ts';
import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import {
  type ArrivingModel,
  type Engine,
  type ModelId,
  type Outcome,
  type Piece,
  type ReadModel,
  type Sentence,
  stoppedFor,
} from './engine.ts';

/** Instantiates the WebAssembly core. Takes bytes rather than an address, so that a server's MIME type does not matter. */
export async function startCore(wasm: ArrayBuffer): Promise<Outcome<CoreEngine>> {
  try {
    return { value: new CoreEngine(await createSoftalignCore({ wasmBinary: wasm })) };
  } catch (cause) {
    return { error: startFailure(cause) };
  }
}

function startFailure(cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/content security policy|unsafe-eval/i.test(reason)) {
    return {
      kind: 'unsupported',
      message:
        "This page's Content Security Policy forbids WebAssembly: its author needs to add 'wasm-unsafe-eval' to script-src.",
    };
  }
  return {
    kind: 'engine',
    message: `The translation engine did not start; reload the page, or publish it anew if that does not help (${reason}).`,
  };
}

const disposed: CoreFailure = { error: { kind: 'usage', message: 'This model was disposed of; load it again.' } };

/** The WebAssembly core in this thread. After a trap nothing in its memory can be relied on: it is not called again. */
export class CoreEngine implements Engine {
  /** Why it broke down, as it was told; undefined while it works. */
  private failure: CoreFailure | undefined;
  private readonly models = new Map<ModelId, CoreModel>();
  private readonly encoder = new TextEncoder();
  private nextId: ModelId = 1;

  constructor(private readonly core: Core) {}

  get stopped(): boolean {
    return this.failure !== undefined;
  }

  receive(): ArrivingModel {
    const file = this.guarded(() => new this.core.ArrivingModel());
    const pieces: Piece[] = [];
    let failure = failed(file) ? file : undefined;
    const discard = () => void this.guarded(() => failed(file) || file.delete());
    return {
      append: (piece, total) => {
        pieces.push(piece);
        failure ??= this.guarded(() => (failed(file) ? file : (file.append(piece, total ?? 0) ?? undefined)));
      },
      open: async () => {
        const opened = failed(file) ? file : (failure ?? this.open(file, pieces));
        discard();
        return opened;
      },
      discard,
    };
  }

  private open(file: CoreArrivingModel, pieces: Piece[]): Outcome<ReadModel> {
    return this.guarded(() => {
      const model = file.open();
      if (failed(model)) return model;
      const information = model.information();
      if (failed(information)) {
        model.delete();
        return information;
      }
      const id = this.nextId++;
      this.models.set(id, model);
      const { configuration, card, ...rest } = information;
      return {
        value: {
          model: { id, information: { configuration: JSON.parse(configuration), card: JSON.parse(card), ...rest } },
          pieces,
        },
      };
    });
  }

  async translate(id: ModelId, text: string, search: Search): Promise<Outcome<Translation>> {
    return this.guarded(() => {
      const model = this.models.get(id);
      if (!model) return disposed;
      const result = model.translate(this.encoder.encode(text), search);
      if (failed(result)) return result;
      const { input, source, hypotheses, prefix, tree } = result;
      const best = hypotheses[0];
      if (!best)
        return { error: { kind: 'engine', message: 'The search returned no translation; try other options.' } };
      const { text: translated, target, alignment, score } = best;
      const weights = search.weights.map(([step]) => step);
      return {
        value: {
          input,
          source,
          text: translated,
          target,
          alignment,
          score,
          hypotheses,
          ...(prefix > 0 || weights.length > 0 ? { imposed: { prefix, weights } } : {}),
          ...(tree ? { tree } : {}),
        },
      };
    });
  }

  async steps(id: ModelId, { source, target, weights, count }: Sentence): Promise<Outcome<DecodingStep[]>> {
    return this.guarded(() => {
      const model = this.models.get(id);
      if (!model) return disposed;
      const steps = model.steps(source, target, weights, count);
      return failed(steps) ? steps : { value: steps };
    });
  }

  close(id: ModelId): void {
    this.guarded(() => this.models.get(id)?.delete());
    this.models.delete(id);
  }

  /** The core returns its failures; only a trap of the machine itself is thrown. */
  private guarded<T>(call: () => T): T | CoreFailure {
    if (this.failure) return this.failure;
    try {
      return call();
    } catch (cause) {
      this.failure = stoppedFor(cause instanceof Error ? cause.message : String(cause));
      this.models.clear();
      return this.failure;
    }
  }
}

function failed(result: object): result is CoreFailure {
  return 'error' in result;
}
