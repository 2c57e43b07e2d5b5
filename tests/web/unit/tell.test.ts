import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enumerate, percent, tell } from '../../../web/src/view/tell.ts';
import { alignWords } from '../../../web/src/view/units.ts';
import { translation } from '../translations.ts';

const cat = translation('the black cat', 'le chat noir </s>', [
  [0.9, 0.05, 0.05],
  [0.05, 0.15, 0.8],
  [0.01, 0.98, 0.01],
  [0.2, 0.2, 0.6],
]);
const view = alignWords(cat, cat);

test('a cell is told with its weight', () => {
  assert.equal(tell(view, { row: 1, column: 2 }), 'Writing “chat”, the model read 80% from “cat”.');
});

test('a row is told with its largest weights first and the smallest left out', () => {
  assert.equal(
    tell(view, { row: 1, column: null }),
    'Writing “chat”, the model read 80% from “cat”, 15% from “black” and 5% from “the”.',
  );
  assert.equal(tell(view, { row: 2, column: null }), 'Writing “noir”, the model read 98% from “black”.');
});

test('a word from right to left does not reorder the numbers around it', () => {
  const made = translation('החתול', 'chat', [[1]]);
  const told = tell(alignWords(made, made), { row: 0, column: 0 });
  assert.equal(told, 'Writing “chat”, the model read 100% from “\u2068החתול\u2069”.');
});

test('a column is told by who read it', () => {
  assert.equal(
    tell(view, { row: null, column: 0 }),
    '“the” was read most for “le” (90%), “(end)” (20%) and “chat” (5%).',
  );
});

test('the end of the sentence is told as such', () => {
  assert.match(tell(view, { row: 3, column: null }), /^Ending the sentence, the model read 60% from “cat”/);
});

test('a model without attention is told as such', () => {
  const plain = translation('the cat', 'le chat </s>', []);
  assert.match(tell(alignWords(plain, plain), { row: 0, column: null }), /no attention/);
});

test('percentages are whole, and what is not nothing is not called 0%', () => {
  assert.equal(percent(0.934), '93%');
  assert.equal(percent(0.001), 'less than 1%');
  assert.equal(percent(0), '0%');
});

test('lists read like sentences', () => {
  assert.equal(enumerate([]), '');
  assert.equal(enumerate(['a']), 'a');
  assert.equal(enumerate(['a', 'b', 'c']), 'a, b and c');
});
