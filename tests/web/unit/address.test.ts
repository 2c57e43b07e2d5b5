import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type State, stateFromHash, stateToHash } from '../../../web/page/address.ts';
import { fileName } from '../../../web/page/take.ts';

const initial: State = {
  model: 'additive.safetensors',
  compare: '',
  text: 'The cat.',
  beam: 4,
  theme: 'auto',
  pieces: false,
  steps: false,
  tree: false,
  selection: null,
};

test('the initial state needs no hash, and any other comes back from its own', () => {
  assert.equal(stateToHash(initial, initial), '');
  for (const state of [
    { ...initial, text: 'Ünïcödé & 😀 = #1?' },
    { ...initial, text: '' },
    { ...initial, model: 'dot.safetensors', compare: 'en-fr-none.safetensors' },
    { ...initial, beam: 1, theme: 'dark', pieces: true, steps: true, tree: true, selection: { row: 2, column: 0 } },
    { ...initial, selection: { row: null, column: 3 } },
  ] satisfies State[]) {
    assert.deepEqual(stateFromHash(stateToHash(state, initial), initial), state);
  }
});

test('what makes no sense in a link is as it is initially', () => {
  for (const hash of [
    '',
    '#',
    '#beam=-3&theme=pink&row=x',
    '#beam=1e9&column=-1',
    '#beam=65',
    '#%E0%A4%A',
    '#model=../x.safetensors&compare=//a.example/b.safetensors',
  ]) {
    assert.deepEqual(stateFromHash(hash, initial), initial);
  }
});

test('a file is named after the sentence, in letters and digits only', () => {
  assert.equal(fileName('Où est l’été / "2" ? Ici et là-bas.', 'svg'), 'softalign-où-est-l-été-2.svg');
  assert.equal(fileName('?!', 'csv'), 'softalign.csv');
});
