import type { ArrivingModel, Engine, ModelId, OpenedModel, Outcome, Piece, ReadModel } from './engine/engine.ts';
import { sharedEngine } from './engine/shared.ts';
import { errorFrom, ModelError } from './errors.ts';
import type { OnPiece, Progress } from './loading/download.ts';
import { downloadOrKept, type Receiver } from './loading/kept.ts';
import type { ModelInformation } from './translation.ts';

export interface LoadOptions {
  /** Called as bytes arrive. */
  onProgress?: (progress: Progress) => void;
  /** Ends this call's wait; the download itself ends when no other call waits for it. */
  signal?: AbortSignal;
}

/** A model in an engine. */
interface Place {
  readonly engine: Engine;
  readonly opened: OpenedModel;
  /** To be called once. */
  release(): void;
}

/** A model for as long as it is held: in an engine, or in another one if that breaks down. */
export class HeldModel {
  private released = false;

  constructor(
    private place: Place,
    private readonly openAgain: () => Promise<Place>,
  ) {}

  get information(): ModelInformation {
    return this.place.opened.information;
  }

  /** Rejects with the engine's failure, or with the reason why the model cannot be opened again. */
  async ask<Answer>(question: (engine: Engine, model: ModelId) => Promise<Outcome<Answer>>): Promise<Answer> {
    if (this.place.engine.stopped) await this.move();
    const outcome = await question(this.place.engine, this.place.opened.id);
    if ('error' in outcome) throw errorFrom(outcome.error);
    return outcome.value;
  }

  /** To be called once. */
  release(): void {
    this.released = true;
    this.place.release();
  }

  private async move(): Promise<void> {
    const place = await this.openAgain();
    if (this.released) return place.release();
    this.place.release();
    this.place = place;
  }
}

interface SharedModel {
  holders: number;
  readonly loading: Promise<{ engine: Engine; opened: OpenedModel }>;
  readonly download: AbortController;
  readonly listeners: Set<(progress: Progress) => void>;
  /** Where it is, once it is there. */
  engine?: Engine;
}

const shared = new Map<string, SharedModel>();

/** The model at an address, downloaded and kept once however many hold it. */
export async function holdModel(url: URL, options: LoadOptions): Promise<HeldModel> {
  return new HeldModel(await placeOf(url, options), () => placeOf(url, {}));
}

async function placeOf(url: URL, { onProgress, signal }: LoadOptions): Promise<Place> {
  signal?.throwIfAborted();
  const key = url.href;
  const found = shared.get(key);
  const model = found && !found.engine?.stopped ? found : startLoading(url);
  model.holders++;
  if (onProgress) model.listeners.add(onProgress);
  try {
    const { engine, opened } = await untilAborted(model.loading, signal);
    return { engine, opened, release: () => release(key, model) };
  } catch (error) {
    release(key, model);
    throw error;
  } finally {
    if (onProgress) model.listeners.delete(onProgress);
  }
}

/** The caller's own model, which is not shared. @param bytes are transferred */
export async function holdOwnModel(bytes: ArrayBuffer): Promise<HeldModel> {
  const { place, pieces } = await ownPlace(new Uint8Array(bytes));
  // Kept by the browser, outside of the page's memory where there is a place for it.
  const file = new Blob(pieces);
  const again = async () => (await ownPlace(new Uint8Array(await file.arrayBuffer()))).place;
  return new HeldModel(place, again);
}

async function ownPlace(file: Piece): Promise<{ place: Place; pieces: Piece[] }> {
  const engine = await sharedEngine();
  const arriving = engine.receive();
  arriving.append(file, file.length);
  const { model: opened, pieces } = await openOrThrow(arriving);
  return { place: { engine, opened, release: () => engine.close(opened.id) }, pieces };
}

function startLoading(url: URL): SharedModel {
  const controller = new AbortController();
  const listeners = new Set<(progress: Progress) => void>();
  const onProgress = (progress: Progress) => {
    for (const listener of listeners) listener(progress);
  };
  const load = async () => {
    const delivery = new Delivery();
    // The download first: it takes longer.
    const options = { what: 'model', onProgress, signal: controller.signal };
    const downloading = downloadOrKept(url, options, delivery);
    const beginning = sharedEngine().then((engine) => delivery.begin(engine));
    const [engine, keeping] = await Promise.all([beginning, downloading]).catch((error) => {
      delivery.cancel();
      throw error;
    });
    const { model: opened, pieces } = await delivery.open().catch(async (error) => {
      if (error instanceof ModelError) await keeping.forget();
      throw error;
    });
    keeping.keep(pieces);
    return { engine, opened };
  };
  const model: SharedModel = { holders: 0, loading: load(), download: controller, listeners };
  // A failed model is forgotten, so that the next attempt asks the server again.
  model.loading.then(
    ({ engine }) => {
      model.engine = engine;
    },
    () => forget(url.href, model),
  );
  shared.set(url.href, model);
  return model;
}

/** Passes the pieces of a file to an engine that is still starting, and at once when it is there. */
class Delivery implements Receiver {
  private engine: Engine | undefined;
  private arriving: ArrivingModel | undefined;
  private waiting: Parameters<OnPiece>[] = [];
  private cancelled = false;

  begin(engine: Engine): Engine {
    if (this.cancelled) return engine;
    this.engine = engine;
    this.arriving = engine.receive();
    for (const piece of this.waiting.splice(0)) this.arriving.append(...piece);
    return engine;
  }

  readonly append: OnPiece = (...piece) => {
    if (this.arriving) this.arriving.append(...piece);
    else if (!this.cancelled) this.waiting.push(piece);
  };

  restart(): void {
    this.waiting = [];
    this.arriving?.discard();
    this.arriving = this.engine?.receive();
  }

  /** The engine reads what has come. To be called once, after the last piece and `begin`. */
  open(): Promise<ReadModel> {
    if (!this.arriving) throw new Error('The delivery of a model has not begun.');
    return openOrThrow(this.arriving);
  }

  cancel(): void {
    this.cancelled = true;
    this.engine = undefined;
    this.restart();
  }
}

async function openOrThrow(arriving: ArrivingModel): Promise<ReadModel> {
  const read = await arriving.open();
  if ('error' in read) throw errorFrom(read.error);
  return read.value;
}

function release(key: string, model: SharedModel): void {
  if (--model.holders > 0) return;
  forget(key, model);
  model.download.abort();
  model.loading.then(
    ({ engine, opened }) => engine.close(opened.id),
    () => undefined,
  );
}

function forget(key: string, model: SharedModel): void {
  if (shared.get(key) === model) shared.delete(key);
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
