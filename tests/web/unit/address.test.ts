import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type State, stateFromHash, stateToHash } from '../../../web/page/address.ts';
import { fileName } from '../../../web/page/take.ts';
import type { Attributes } from '../../../web/src/element/attributes.ts';

const shown = { text: 'The cat.', beam: 4, pieces: false, steps: false, tree: false, theme: 'auto' } as const;
const initial: State = { model: 'additive.safetensors', compare: '', shown, selection: null };

const showing = (changes: Partial<Attributes>): State => ({ ...initial, shown: { ...shown, ...changes } });

test('the initial state needs no hash, and any other comes back from its own', () => {
  assert.equal(stateToHash(initial, initial), '');
  for (const state of [
    showing({ text: 'Ünïcödé & 😀 = #1?' }),
    showing({ text: '' }),
    { ...initial, model: 'dot.safetensors', compare: 'en-fr-none.safetensors' },
    {
      ...showing({ beam: 1, theme: 'dark', pieces: true, steps: true, tree: true }),
      selection: { row: 2, column: 0 },
    },
    { ...initial, selection: { row: null, column: 3 } },
  ]) {
    const hash = stateToHash(state, initial);
    assert.match(hash, /^#./);
    assert.deepEqual(stateFromHash(hash, initial), state);
  }
});

test('what makes no sense in a link is as it is initially', () => {
  for (const hash of [
    '',
    '#',
    '#beam=-3&theme=pink&row=x',
    '#beam=1e9&column=-1',
    '#beam=0',
    '#beam=65',
    '#tree=perhaps',
    '#%E0%A4%A',
    `#text=${'a'.repeat(20_001)}`,
    '#model=../x.safetensors&compare=//a.example/b.safetensors',
  ]) {
    assert.deepEqual(stateFromHash(hash, initial), initial);
  }
});

test('an address has no attributes but its own', () => {
  assert.deepEqual(stateFromHash('#src=https://a.example/&editable=false&openable=true', initial), initial);
  const frame = { ...initial, shown: { ...shown, editable: false } };
  assert.equal(stateFromHash('#editable=true', frame).shown.editable, true);
});

test('a file is named after the sentence, in letters and digits only', () => {
  assert.equal(fileName('Où est l’été / "2" ? Ici et là-bas.', 'svg'), 'softalign-où-est-l-été-2.svg');
  assert.equal(fileName('?!', 'csv'), 'softalign.csv');
});
