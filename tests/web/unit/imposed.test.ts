import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imposeWeights, imposeWord, type Subject } from '../../../web/src/element/imposed.ts';
import type { Hypothesis } from '../../../web/src/translation.ts';
import { translation } from '../translations.ts';

const rows = [
  [0.75, 0.25],
  [0.5, 0.5],
  [0.25, 0.75],
];
const own = translation('the cat', 'le chat </s>', rows);
const shown = own.hypotheses[0] as Hypothesis;
const imposedBefore: Subject = { translation: { ...own, imposed: { prefix: 2, weights: [0, 1] } }, shown };

test('another word stands after what was written before it, whose imposed weights stay, its own included', () => {
  const { prefix, weights } = imposeWord(imposedBefore, 1, 'chien');
  assert.deepEqual(prefix, [own.target[0], 'chien']);
  assert.deepEqual(
    [...weights],
    [0, 1].map((step) => [step, new Float32Array(rows[step] as number[])]),
  );
});

test('other weights take the place of the step’s own, and what comes later is forgotten', () => {
  const row = new Float32Array([1, 0]);
  const { prefix, weights } = imposeWeights(imposedBefore, 0, row);
  assert.deepEqual(prefix, []);
  assert.deepEqual([...weights], [[0, row]]);
});

test('nothing else is imposed where nothing was', () => {
  assert.equal(imposeWord({ translation: own, shown }, 2, { id: 7 }).weights.size, 0);
});
