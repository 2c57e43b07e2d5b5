// What runs on GitHub is what was read: nothing that others may change under the same name, no right that is not needed.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../../../.github/workflows/', import.meta.url);

for (const file of readdirSync(folder)) {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  const values = (key: string) =>
    lines.flatMap((line) => new RegExp(`^[\\s-]*${key}:\\s*(\\S.*)$`).exec(line)?.[1] ?? []);

  test(`${file} names its actions by digest, with the version beside it`, () => {
    assert.ok(values('uses').length > 0);
    for (const action of values('uses')) assert.match(action, /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test(`${file} names its images by digest`, () => {
    const images = [...values('image'), ...values('container')].filter((image) => !image.startsWith('${{ matrix.'));
    assert.ok(images.length > 0);
    for (const image of images) assert.match(image, /^[\w./:-]+@sha256:[0-9a-f]{64}$/);
  });

  test(`${file} gives rights to jobs only, and keeps no credentials`, () => {
    assert.ok(lines.includes('permissions: {}'));
    const checkouts = values('uses').filter((action) => action.startsWith('actions/checkout@'));
    assert.equal(values('persist-credentials').filter((kept) => kept === 'false').length, checkouts.length);
  });
}
