import assert from 'node:assert/strict';
import { test } from 'node:test';
import { softmax, withShare } from '../../../web/src/view/shares.ts';

const close = (a: Iterable<number>, b: number[]) => {
  const rounded = (list: number[]) => list.map((value) => Math.round(value * 1e5) / 1e5);
  assert.deepEqual(rounded([...a]), rounded(b));
};

test('scores become shares of one, however large they are', () => {
  close(softmax([0, Math.log(3)]), [0.25, 0.75]);
  close(softmax([1000, 1000]), [0.5, 0.5]);
});

test('one share is set and the others keep their proportions', () => {
  close(withShare([0.6, 0.3, 0.1], 0, 0.2), [0.2, 0.6, 0.2]);
  close(withShare([0.6, 0.3, 0.1], 2, 1), [0, 0, 1]);
});

test('others that have nothing share alike', () => {
  close(withShare([1, 0, 0], 0, 0.5), [0.5, 0.25, 0.25]);
});
