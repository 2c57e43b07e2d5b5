import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRightToLeft } from '../../../web/src/view/direction.ts';

test('Hebrew and Arabic run from right to left', () => {
  assert.equal(isRightToLeft('שלום עולם'), true);
  assert.equal(isRightToLeft('مرحبا'), true);
});

test('the first letter decides, whatever stands before it', () => {
  assert.equal(isRightToLeft('123 — “שלום” hello'), true);
  assert.equal(isRightToLeft('hello שלום'), false);
  assert.equal(isRightToLeft('42'), false);
});
