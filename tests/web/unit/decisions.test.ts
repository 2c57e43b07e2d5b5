import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideWeights, decideWord } from '../../../web/src/element/decisions.ts';
import type { Hypothesis } from '../../../web/src/translation.ts';
import { translation } from '../translations.ts';

const rows = [
  [0.75, 0.25],
  [0.5, 0.5],
  [0.25, 0.75],
];
const own = translation('the cat', 'le chat </s>', rows);
const best = own.hypotheses[0] as Hypothesis;
const altered = { ...own, given: { prefix: 2, weights: [0, 1] } };

test('another word stands after what was written before it, whose given weights stay, its own included', () => {
  const { prefix, weights } = decideWord(altered, best, 1, 'chien');
  assert.deepEqual(prefix, [own.target[0], 'chien']);
  assert.deepEqual(
    [...weights],
    [0, 1].map((step) => [step, new Float32Array(rows[step] as number[])]),
  );
});

test('other weights take the place of the step’s own, and what comes later is forgotten', () => {
  const row = new Float32Array([1, 0]);
  const { prefix, weights } = decideWeights(altered, best, 0, row);
  assert.deepEqual(prefix, []);
  assert.deepEqual([...weights], [[0, row]]);
});

test('nothing else is given where nothing was', () => {
  assert.equal(decideWord(own, best, 2, { id: 7 }).weights.size, 0);
});
