import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkPath, linksOf, linkWidth } from '../../../web/src/view/links.ts';
import { alignWords } from '../../../web/src/view/units.ts';
import { translation } from '../translations.ts';

const cat = translation('the black cat', 'le chat noir', [
  [0.9, 0.05, 0.05],
  [0.05, 0.15, 0.8],
  [0.01, 0.98, 0.01],
]);
const view = alignWords(cat, cat);

test('without a selection the links that matter are drawn', () => {
  assert.deepEqual(
    linksOf(view, null).map(({ row, column }) => [row, column]),
    [
      [1, 1],
      [1, 2],
      [0, 0],
      [2, 1],
    ],
  );
});

test('a selected row shows its own links, weak ones too', () => {
  const links = linksOf(view, { row: 1, column: null });
  assert.deepEqual(
    links.map((link) => link.column),
    [0, 1, 2],
  );
  assert.ok(links.every((link) => link.highlighted && link.row === 1));
});

test('a selected cell shows one link', () => {
  assert.equal(linksOf(view, { row: 2, column: 1 }).length, 1);
});

test('a link is as thick as its weight', () => {
  assert.equal(linkWidth(0.8), 2 * linkWidth(0.4));
});

test('a link leads from below the source word to above the target word', () => {
  const path = linkPath({ x: 0, y: 0, width: 20, height: 10 }, { x: 100, y: 60, width: 30, height: 10 });
  assert.match(path, /^M10 10C/);
  assert.match(path, /115 60$/);
});
