import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignPieces, alignWords, hasSubwords, weightAt } from '../../../web/src/view/units.ts';
import { translation } from '../translations.ts';

const subwords = translation('the un +happy cat', 'le chat mal +heureux </s>', [
  [0.9, 0.02, 0.03, 0.05],
  [0.1, 0.1, 0.1, 0.7],
  [0.0, 0.5, 0.3, 0.2],
  [0.0, 0.2, 0.6, 0.2],
  [0.25, 0.25, 0.25, 0.25],
]);

test('subwords join to the words of the text', () => {
  const view = alignWords(subwords, subwords);
  assert.deepEqual(
    view.source.map((unit) => unit.text),
    ['the', 'unhappy', 'cat'],
  );
  assert.deepEqual(
    view.target.map((unit) => unit.text),
    ['le', 'chat', 'malheureux', '(end)'],
  );
});

test('weights are summed over source pieces and averaged over target pieces', () => {
  const view = alignWords(subwords, subwords);
  assert.ok(Math.abs(weightAt(view, 0, 1) - 0.05) < 1e-6);
  assert.ok(Math.abs(weightAt(view, 2, 1) - (0.5 + 0.3 + 0.2 + 0.6) / 2) < 1e-6);
});

test('a row of joined words still sums to one', () => {
  const view = alignWords(subwords, subwords);
  view.target.forEach((_, row) => {
    const sum = view.source.reduce((total, _, column) => total + weightAt(view, row, column), 0);
    assert.ok(Math.abs(sum - 1) < 1e-6, `row ${row} sums to ${sum}`);
  });
});

test('pieces keep their own rows and columns', () => {
  const view = alignPieces(subwords, subwords);
  assert.deepEqual(
    view.source.map((unit) => unit.text),
    ['the', 'un', 'happy', 'cat'],
  );
  assert.equal(view.weights, subwords.alignment);
});

test('punctuation stands beside its word, an apostrophe inside it', () => {
  const made = translation('the bed *.', "l +' +ami *, oui *. </s>", Array(7).fill([0.2, 0.3, 0.5]));
  const view = alignWords(made, made);
  assert.deepEqual(
    view.target.map((unit) => unit.text),
    ["l'ami", ',', 'oui', '.', '(end)'],
  );
  assert.deepEqual(
    view.source.map((unit) => unit.startsWord),
    [true, true, false],
  );
});

test('a special symbol joins nothing', () => {
  const view = alignWords(subwords, subwords);
  assert.equal(view.target.at(-1)?.special, true);
  assert.deepEqual(view.target.at(-1)?.tokens, [4]);
});

test('the switch is offered only where there are subwords', () => {
  assert.equal(hasSubwords(subwords), true);
  assert.equal(
    hasSubwords(
      translation('the cat', 'le chat </s>', [
        [1, 0],
        [0, 1],
        [0, 1],
      ]),
    ),
    false,
  );
});

test('letters of a model that reads letters have rows and columns of their own', () => {
  const made = translation('c *h *a *t', 'SH AE T </s>', Array(4).fill([0.4, 0.3, 0.2, 0.1]));
  const view = alignWords(made, made);
  assert.deepEqual(
    view.source.map((unit) => unit.text),
    ['c', 'h', 'a', 't'],
  );
  assert.equal(weightAt(view, 0, 1), made.alignment[1]);
  assert.equal(hasSubwords(made), false);
});

test('a model without attention has no weights', () => {
  const view = alignWords(translation('the cat', 'le chat </s>', []), translation('the cat', 'le chat </s>', []));
  assert.equal(view.weights.length, 0);
  assert.equal(view.target.length, 3);
});

test('an empty sentence has no rows and no columns', () => {
  const view = alignWords({ input: '', source: [] }, { text: '', target: [], alignment: new Float32Array() });
  assert.deepEqual([view.source.length, view.target.length], [0, 0]);
});
