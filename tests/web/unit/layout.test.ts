import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellBox, hit, type LayoutInput, layOut, scrollTo, visibleCells } from '../../../web/src/view/layout.ts';

function input(columns: number, width: number, changes: Partial<LayoutInput> = {}): LayoutInput {
  return {
    rows: columns,
    columns,
    rowLabels: Array(columns).fill(60),
    columnLabels: Array(columns).fill(60),
    lineHeight: 20,
    width,
    rightToLeft: false,
    ...changes,
  };
}

test('labels lie flat where there is room for them', () => {
  const layout = layOut(input(4, 600));
  assert.equal(layout.angle, 0);
  assert.ok(layout.cellWidth >= 68);
});

test('labels turn when the cells become narrower than the words', () => {
  assert.equal(layOut(input(10, 600)).angle, 45);
  assert.equal(layOut(input(24, 600)).angle, 90);
});

test('labels thin out when even upright ones would touch', () => {
  const layout = layOut(input(36, 600));
  assert.equal(layout.angle, 90);
  assert.ok(layout.labelStep > 1);
  assert.ok(layout.labelStep * layout.cellWidth >= 18);
});

test('what does not fit scrolls, at a size that can be read', () => {
  const layout = layOut(input(60, 390));
  assert.ok(layout.width > 390);
  assert.equal(layout.labelStep, 1);
  assert.ok(layout.cellWidth >= 18);
});

test('from 3 to 60 words nothing sticks out unless it scrolls', () => {
  for (const width of [320, 390, 768, 1280, 1920]) {
    for (let columns = 3; columns <= 60; columns++) {
      const layout = layOut(input(columns, width));
      const scrolls = layout.cellWidth * layout.columns + layout.left > width;
      assert.ok(scrolls || layout.width <= width, `${columns} words in ${width} px`);
      assert.ok(!scrolls || layout.cellWidth === 18, `${columns} words in ${width} px`);
    }
  }
});

test('long row labels leave room for the cells', () => {
  const layout = layOut(input(8, 390, { rowLabels: Array(8).fill(400) }));
  assert.ok(layout.left < 150);
});

test('a point inside a cell finds that cell', () => {
  const layout = layOut(input(10, 600));
  for (const [row, column] of [
    [0, 0],
    [3, 7],
    [9, 9],
  ] as const) {
    const box = cellBox(layout, row, column);
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    assert.deepEqual(hit(layout, centre, { x: 0, y: 0 }), { row, column });
  }
});

test('a point on a label finds the whole row or column', () => {
  const layout = layOut(input(10, 600));
  const box = cellBox(layout, 3, 7);
  assert.deepEqual(hit(layout, { x: 5, y: box.y + 2 }, { x: 0, y: 0 }), { row: 3, column: null });
  assert.deepEqual(hit(layout, { x: box.x + 2, y: 5 }, { x: 0, y: 0 }), { row: null, column: 7 });
});

test('a point on the corner or outside finds nothing', () => {
  const layout = layOut(input(10, 600));
  assert.equal(hit(layout, { x: 2, y: 2 }, { x: 0, y: 0 }), null);
  assert.equal(hit(layout, { x: 599, y: layout.top + 5 }, { x: 0, y: 0 }), null);
});

test('scrolled cells are found below labels that stay', () => {
  const layout = layOut(input(60, 390));
  const scroll = { x: 5 * layout.cellWidth, y: 2 * layout.cellHeight };
  assert.deepEqual(hit(layout, { x: layout.left + 1, y: layout.top + 1 }, scroll), { row: 2, column: 5 });
  assert.deepEqual(hit(layout, { x: 3, y: layout.top + 1 }, scroll), { row: 2, column: null });
});

test('columns of a right-to-left source run from right to left', () => {
  const layout = layOut(input(5, 600, { rightToLeft: true }));
  assert.ok(cellBox(layout, 0, 0).x > cellBox(layout, 0, 4).x);
  const box = cellBox(layout, 1, 0);
  assert.deepEqual(hit(layout, { x: box.x + 1, y: box.y + 1 }, { x: 0, y: 0 }), { row: 1, column: 0 });
});

test('only cells in sight are drawn', () => {
  const layout = layOut(input(60, 390));
  const room = { width: 390, height: 400 };
  const { rows, columns } = visibleCells(layout, { x: 0, y: 0 }, room);
  assert.deepEqual([rows[0], columns[0]], [0, 0]);
  assert.ok(rows[1] < 60 && columns[1] < 60);
  const rightToLeft = layOut(input(60, 390, { rightToLeft: true }));
  assert.equal(visibleCells(rightToLeft, { x: 0, y: 0 }, room).columns[1], 60);
});

test('scrolling brings the selected cell into sight and otherwise stays', () => {
  const layout = layOut(input(60, 390));
  const room = { width: 390, height: 400 };
  const scroll = scrollTo(layout, { row: 50, column: 40 }, { x: 0, y: 0 }, room);
  const box = cellBox(layout, 50, 40);
  assert.ok(box.x - scroll.x >= layout.left && box.x + box.width - scroll.x <= room.width);
  assert.ok(box.y - scroll.y >= layout.top && box.y + box.height - scroll.y <= room.height);
  assert.deepEqual(scrollTo(layout, { row: 50, column: 40 }, scroll, room), scroll);
});
