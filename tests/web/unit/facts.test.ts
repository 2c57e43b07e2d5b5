import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../web/page/facts.ts';
import { alignWords } from '../../../web/src/view/units.ts';
import { translation } from '../translations.ts';

const facts = (source: string, target: string, rows: number[][]) => {
  const made = translation(source, target, rows);
  return factsOf(alignWords(made, made));
};

test('the sharpest row, a crossing and the softest row are told with their numbers', () => {
  const [sharp, crossed, soft] = facts('the black cat', 'le chat noir </s>', [
    [0.55, 0.25, 0.2],
    [0.05, 0.15, 0.8],
    [0.01, 0.98, 0.01],
    [0.3, 0.3, 0.4],
  ]);
  assert.match(sharp?.text ?? '', /^To write “noir”, the network read 98% from “black”/);
  assert.match(crossed?.text ?? '', /French writes “chat” before “noir”, English “black” before “cat”/);
  assert.deepEqual(crossed?.selection, { row: 1, column: 2 });
  assert.match(soft?.text ?? '', /^“le” was the least sure: 55% from “the”, 25% from “black”, 20% from “cat”/);
});

test('a sentence in one order is told as such', () => {
  const [, order] = facts('the cat', 'le chat </s>', [
    [0.9, 0.1],
    [0.1, 0.9],
    [0.5, 0.5],
  ]);
  assert.match(order?.text ?? '', /diagonal/);
});

test('of a muddled alignment no order is claimed, and of punctuation nothing', () => {
  const titles = facts('the cat *.', 'le chat *. </s>', [
    [0.34, 0.33, 0.33],
    [0.33, 0.34, 0.33],
    [0, 0, 1],
    [0, 0, 1],
  ]);
  assert.ok(!titles.some(({ title }) => title === 'The order is free'));
  assert.match(titles[0]?.text ?? '', /^To write “(le|chat)”/);
});

test('nothing is told of an empty sentence or a model without attention', () => {
  assert.deepEqual(factsOf({ source: [], target: [], weights: new Float32Array() }), []);
  assert.deepEqual(facts('the cat', 'le chat', []), []);
});
