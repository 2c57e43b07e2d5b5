// What is kept, in a store like the browser's.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { find, markUsed, mostBytes, put, remove, removeBelow } from '../../../web/src/loading/model-store.ts';

type Key = URL | string | { url: string };

const hrefOf = (key: Key) => (typeof key === 'string' ? key : key instanceof URL ? key.href : key.url);

/** Stands for so many bytes in what is stored. */
const scale = 2 ** 20;

/** The part of the Cache API that the store uses. A byte counts for many, so that nothing large need be made. */
class Caches {
  readonly stores = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const entries = this.stores.get(name) ?? new Map<string, Response>();
    this.stores.set(name, entries);
    return {
      put: async (key: Key, response: Response) => void entries.set(hrefOf(key), response),
      match: async (key: Key) => {
        const response = entries.get(hrefOf(key))?.clone();
        const blob = async () => ({ size: scale * ((await response?.arrayBuffer())?.byteLength ?? 0) });
        return response && Object.assign(response, { blob });
      },
      delete: async (key: Key) => entries.delete(hrefOf(key)),
      keys: async () => [...entries.keys()].map((url) => ({ url })),
    };
  }

  async match(key: Key, { cacheName }: { cacheName: string }) {
    return this.stores.get(cacheName)?.get(hrefOf(key))?.clone();
  }

  async delete(name: string) {
    return this.stores.delete(name);
  }
}

let caches: Caches;
let time = 0;
const now = Date.now;

beforeEach(() => {
  caches = new Caches();
  Object.assign(globalThis, { caches });
  Date.now = () => ++time;
});
afterEach(() => {
  Date.now = now;
});

const at = (path: string) => new URL(path, 'https://example.org/');
const third = new Uint8Array(Math.ceil(mostBytes / scale / 3));

async function keptOf(...paths: string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await find(at(path))) ? path : [])));
  return found.flat();
}

test('of too many models those stay that were used last, not those that were stored last', async () => {
  await put(at('a'), [third], {});
  await put(at('b'), [third], {});
  await markUsed(at('a'));
  await put(at('c'), [third], {});
  assert.deepEqual(await keptOf('a', 'b', 'c'), ['a', 'c']);
  // Of what is gone no use is remembered.
  for (const entries of caches.stores.values()) assert.equal(entries.size, 2);
});

test('models that fit stay all', async () => {
  await put(at('a'), [third], {});
  await put(at('b'), [third.subarray(2)], {});
  await put(at('c'), [third], {});
  assert.deepEqual(await keptOf('a', 'b', 'c'), ['a', 'b', 'c']);
});

test('a model that is larger than all may be stays while it is the newest', async () => {
  await put(at('a'), [new Uint8Array(100)], {});
  await put(at('large'), [third, third, third, third], {});
  assert.deepEqual(await keptOf('a', 'large'), ['large']);
  await put(at('b'), [new Uint8Array(100)], {});
  assert.deepEqual(await keptOf('b', 'large'), ['b']);
});

test('a model is stored once, however often', async () => {
  for (let i = 0; i < 5; i++) await put(at('a'), [third], { version: String(i) });
  await put(at('b'), [third], {});
  assert.deepEqual(await keptOf('a', 'b'), ['a', 'b']);
  assert.equal((await find(at('a')))?.headers.get('version'), '4');
});

test('removing a folder leaves its neighbours, and nothing where there are none', async () => {
  for (const path of ['page/models/a', 'page/models/more/b', 'page/models-of-others/c', 'other/models/d'])
    await put(at(path), [new Uint8Array(1)], {});
  await removeBelow(at('page/models/'));
  assert.deepEqual(await keptOf('page/models/a', 'page/models/more/b', 'page/models-of-others/c', 'other/models/d'), [
    'page/models-of-others/c',
    'other/models/d',
  ]);
  await removeBelow(at('/'));
  assert.equal(caches.stores.size, 0);
});

test('a single model is removed with its last use', async () => {
  await put(at('a'), [new Uint8Array(1)], {});
  await remove(at('a'));
  for (const entries of caches.stores.values()) assert.equal(entries.size, 0);
});
