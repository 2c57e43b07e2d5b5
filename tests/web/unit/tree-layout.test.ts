import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchNode } from '../../../web/src/translation.ts';
import { layOutTree } from '../../../web/src/view/tree-layout.ts';

/** Nodes by their parents; a later one of the same parent has a lower score. */
function nodes(...parents: number[]): SearchNode[] {
  return parents.map((parent, id) => ({
    id,
    text: `${id}`,
    begin: 0,
    end: 1,
    special: false,
    startsWord: true,
    word: 0,
    probability: 0.5,
    parent,
    score: -id,
  }));
}

function layOut(tree: SearchNode[], leaves: number[], mostLanes = 9) {
  return layOutTree({ tree, leaves, widths: tree.map(() => 20), lineHeight: 10, mostLanes });
}

// 0 ─ 2 ─ 4 ─ 6   the best
// 1 └ 3 ─ 5       the second best, and 1 was dropped
const small = nodes(-1, -1, 0, 0, 2, 3, 4);

test('the best hypothesis has the first lane, the others begin where they leave it', () => {
  const { branches, depths } = layOut(small, [6, 5]);
  assert.deepEqual(branches[0], { nodes: [0, 2, 4, 6], lane: 0, hypothesis: 0 });
  assert.deepEqual(branches[1]?.nodes, [3, 5]);
  assert.equal(branches[1]?.hypothesis, 1);
  assert.deepEqual(branches[2]?.nodes, [1]);
  assert.equal(branches[2]?.hypothesis, undefined);
  assert.deepEqual(depths, [0, 0, 1, 1, 2, 2, 3]);
});

test('no two words are in one place, and a child stands right of its parent, never above', () => {
  const wide = nodes(-1, -1, -1, 0, 0, 1, 3, 3, 4, 6, 7, 8, 9, 9, 9);
  const { places, height } = layOut(wide, [13, 12]);
  const taken = new Set(places.map((place) => place && `${place.x} ${place.y}`));
  assert.equal(taken.size, wide.length);
  wide.forEach(({ parent }, node) => {
    const [from, to] = [places[parent], places[node]];
    if (!from || !to) return;
    assert.ok(to.x > from.x);
    assert.ok(to.y >= from.y && to.y < height);
  });
});

test('a lane that has ended is used again, so that a long sentence needs few', () => {
  const parents = [-1];
  // At every step one word goes on, two are dropped.
  for (let step = 1; step < 60; step++) parents.push(3 * (step - 1), 3 * (step - 1), 3 * (step - 1));
  const tree = nodes(...parents.map((parent) => (parent > 0 ? parent - 2 : parent)));
  const { branches, hidden } = layOut(tree, [tree.length - 3]);
  assert.equal(hidden, 0);
  assert.ok(Math.max(...branches.map(({ lane }) => lane)) <= 6);
});

test('what finds no lane is counted, but a hypothesis is always drawn', () => {
  const many = nodes(-1, ...Array<number>(20).fill(0));
  const { branches, hidden, places } = layOut(many, [1, 20], 3);
  assert.ok(places[20]);
  assert.equal(branches.length + hidden, 20);
  assert.ok(hidden > 0);
});
