// A model file that arrives in the engine's memory as no server should send it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoreArrivingModel, CoreModel } from 'softalign-core';
import { goldenModel } from '../models.ts';
import { startCore } from './wasm.ts';

/** @param total as a server told it */
function append(file: CoreArrivingModel, bytes: Uint8Array, total: number, piece: number): void {
  for (let at = 0; at < bytes.length; at += piece) {
    assert.equal(file.append(bytes.subarray(at, at + piece), total), null);
  }
}

test('a file is read whatever total was told, and however it is cut', async () => {
  const core = await startCore();
  const bytes = await goldenModel();
  for (const total of [0, 1, 100, bytes.length - 1, bytes.length, bytes.length + 1, 1.9e9, 1e20]) {
    for (const piece of [bytes.length, 1000, 7]) {
      const file = new core.ArrivingModel();
      append(file, bytes, total, piece);
      const model = file.open();
      assert.ok(!('error' in model), `total ${total}, pieces of ${piece}: ${JSON.stringify(model)}`);
      model.delete();
      file.delete();
    }
  }
});

test('totals that no server keeps to leave memory for other models', async () => {
  const core = await startCore();
  const bytes = await goldenModel();
  const files = [1.9e9, 1.9e9, 1.9e9].map((total) => {
    const file = new core.ArrivingModel();
    append(file, bytes, total, bytes.length);
    return file;
  });
  for (const file of files) {
    const model = file.open() as CoreModel;
    assert.ok(!('error' in model));
    model.delete();
    file.delete();
  }
});
