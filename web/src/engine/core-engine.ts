import createSoftalignCore, {
  type Core,
  type CoreArrivingModel,
  type CoreFailure,
  type CoreModel,
  type CoreTranslation,
  type CoreWork,
} from 'softalign-core';
import type { Failure } from '../errors.ts';
import type { Search } from '../search-options.ts';
import type { DecodingStep, Translation } from '../translation.ts';
import { breath } from './breath.ts';
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
    message: `The translation engine did not start; reload the page, or publish it again if that does not help (${reason}).`,
  };
}

const disposed: CoreFailure = { error: { kind: 'usage', message: 'This model was disposed of; load it again.' } };

/** How long work keeps its thread before others have their turn, such as who wants to end it. */
const sliceMilliseconds = 25;

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

  async translate(
    id: ModelId,
    text: string,
    search: Search,
    signal: AbortSignal,
  ): Promise<Outcome<Translation | null>> {
    const begin = (model: CoreModel) => model.search(this.encoder.encode(text), search);
    const found = await this.work(id, begin, (work) => work.translation(), signal);
    return found === null ? { value: null } : failed(found) ? found : translationOf(found, search);
  }

  async steps(
    id: ModelId,
    { source, target, weights, count }: Sentence,
    signal: AbortSignal,
  ): Promise<Outcome<DecodingStep[] | null>> {
    const begin = (model: CoreModel) => model.walk(source, target, weights, count);
    const steps = await this.work(id, begin, (work) => work.steps(), signal);
    return steps !== null && failed(steps) ? steps : { value: steps };
  }

  /** @returns null where the signal ended it */
  private async work<Work extends CoreWork, Result extends object>(
    id: ModelId,
    begin: (model: CoreModel) => Work | CoreFailure,
    result: (work: Work) => Result | CoreFailure,
    signal: AbortSignal,
  ): Promise<Result | CoreFailure | null> {
    const begun = this.guarded(() => {
      const model = this.models.get(id);
      return model ? begin(model) : disposed;
    });
    if (failed(begun)) return begun;
    const all = async () => {
      for (;;) {
        const more = this.guarded(() => begun.advance(sliceMilliseconds));
        if (typeof more !== 'boolean') return more;
        if (!more) return this.guarded(() => result(begun));
        await breath();
        if (signal.aborted) return null;
      }
    };
    const made = await all();
    this.guarded(() => begun.delete());
    return made;
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

function translationOf(
  { input, source, hypotheses, prefix, tree, treeLeftOut }: CoreTranslation,
  search: Search,
): Outcome<Translation> {
  const best = hypotheses[0];
  if (!best) return { error: { kind: 'engine', message: 'The search returned no translation; try other options.' } };
  const { text, target, alignment, score } = best;
  const weights = search.weights.map(([step]) => step);
  return {
    value: {
      input,
      source,
      text,
      target,
      alignment,
      score,
      hypotheses,
      ...(prefix > 0 || weights.length > 0 ? { imposed: { prefix, weights } } : {}),
      ...(tree ? { tree } : {}),
      ...(treeLeftOut ? { treeLeftOut } : {}),
    },
  };
}

function failed(result: object): result is CoreFailure {
  return 'error' in result;
}
