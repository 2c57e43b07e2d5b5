import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlights, move } from '../../../web/src/view/selection.ts';

const grid = { rows: 3, columns: 4, rightToLeft: false };

test('the first arrow key selects the first row', () => {
  assert.deepEqual(move(null, 'ArrowDown', grid), { row: 0, column: null });
});

test('from a row the arrow keys lead into its cells and to its neighbours', () => {
  assert.deepEqual(move({ row: 1, column: null }, 'ArrowRight', grid), { row: 1, column: 0 });
  assert.deepEqual(move({ row: 1, column: null }, 'ArrowDown', grid), { row: 2, column: null });
});

test('a step before the first cell selects its row or its column', () => {
  assert.deepEqual(move({ row: 1, column: 0 }, 'ArrowLeft', grid), { row: 1, column: null });
  assert.deepEqual(move({ row: 0, column: 2 }, 'ArrowUp', grid), { row: null, column: 2 });
});

test('at the edge a key stays where it is', () => {
  assert.deepEqual(move({ row: 2, column: 3 }, 'ArrowRight', grid), { row: 2, column: 3 });
  assert.deepEqual(move({ row: 0, column: null }, 'ArrowUp', grid), { row: 0, column: null });
});

test('in a right-to-left source the keys follow what is seen', () => {
  const mirrored = { ...grid, rightToLeft: true };
  assert.deepEqual(move({ row: 1, column: 0 }, 'ArrowLeft', mirrored), { row: 1, column: 1 });
});

test('Home and End lead to the ends of a row, Page Up and Page Down to those of a column', () => {
  assert.deepEqual(move({ row: 1, column: 2 }, 'Home', grid), { row: 1, column: 0 });
  assert.deepEqual(move({ row: 1, column: 2 }, 'End', grid), { row: 1, column: 3 });
  assert.deepEqual(move({ row: 1, column: 2 }, 'PageUp', grid), { row: 0, column: 2 });
  assert.deepEqual(move({ row: 1, column: 2 }, 'PageDown', grid), { row: 2, column: 2 });
});

test('Escape lets go once, and then belongs to the page', () => {
  assert.equal(move({ row: 1, column: 2 }, 'Escape', grid), null);
  assert.equal(move(null, 'Escape', grid), undefined);
});

test('other keys belong to the page', () => {
  assert.equal(move({ row: 1, column: 2 }, 'Tab', grid), undefined);
  assert.equal(move({ row: 1, column: 2 }, 'constructor', grid), undefined);
});

test('a row highlights its cells and itself, not its neighbours', () => {
  const row = { row: 1, column: null };
  assert.equal(highlights(row, 1, 3), true);
  assert.equal(highlights(row, 1, null), true);
  assert.equal(highlights(row, 0, 3), false);
});
