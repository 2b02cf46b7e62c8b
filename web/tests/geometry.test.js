import assert from "node:assert/strict";
import { test } from "node:test";
import { between, CELL, Geometry, neighbour } from "../board/geometry.js";

/** @param {Partial<Ludus.BoardDiagram>} [changes] */
function view(changes) {
  const cell = { name: "", star: false, piece: null };
  const cells = Array.from({ length: 64 }, () => cell);
  return /** @type {Ludus.BoardDiagram} */ ({
    grid: "checkered",
    dark_first: false,
    columns: 8,
    rows: 8,
    cells,
    column_labels: [],
    row_labels: [],
    notes: [],
    ...changes,
  });
}

test("every cell is found at its centre, also on a flipped board", () => {
  for (const flipped of [false, true]) {
    const geometry = new Geometry(view(), { flipped, bare: false });
    for (let cell = 0; cell < 64; cell += 1) assert.equal(geometry.cellAt(geometry.centre(cell)), cell);
  }
});

test("there is no cell on the frame", () => {
  const geometry = new Geometry(view(), { flipped: false, bare: true });
  assert.equal(geometry.cellAt({ x: geometry.left - 1, y: geometry.top + 1 }), null);
  assert.equal(geometry.cellAt({ x: geometry.left + 8 * CELL + 1, y: geometry.top + 1 }), null);
});

test("racks are never flipped", () => {
  assert.equal(new Geometry(view({ grid: "holes" }), { flipped: true, bare: false }).flipped, false);
});

test("only cells on a straight line have cells between them", () => {
  assert.deepEqual(between(0, 27, 8), [9, 18]);
  assert.deepEqual(between(27, 0, 8), [18, 9]);
  assert.deepEqual(between(0, 3, 8), [1, 2]);
  assert.deepEqual(between(0, 17, 8), []);
  assert.deepEqual(between(0, 1, 8), []);
});

test("arrow keys skip cells that cannot be used and stay on the board", () => {
  const geometry = new Geometry(view(), { flipped: false, bare: false });
  const isDark = (/** @type {number} */ cell) => (Math.floor(cell / 8) + (cell % 8)) % 2 === 1;
  assert.equal(neighbour(geometry, 1, "ArrowRight", isDark), 3);
  assert.ok(isDark(neighbour(geometry, 1, "ArrowDown", isDark)));
  assert.equal(neighbour(geometry, 1, "ArrowUp", isDark), 1);
});
