import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shorten } from '../../../web/src/view/draw.ts';

const measure = (text: string) => 10 * [...text].length;

test('a text that fits is left alone', () => {
  assert.equal(shorten('chat', 40, measure), 'chat');
});

test('a text that does not fit loses its end', () => {
  assert.equal(shorten('anticonstitutionnellement', 60, measure), 'antic…');
});

test('a character beyond the basic plane is not cut in two', () => {
  assert.equal(shorten('😀😀😀😀', 30, measure), '😀😀…');
});
