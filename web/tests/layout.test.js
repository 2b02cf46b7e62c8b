import assert from "node:assert/strict";
import { test } from "node:test";
import { bounds, centre, layOut, MEASURES, visiblePart } from "../tree/layout.js";

/**
 * @typedef {import("../tree/layout.js").TreeModel} TreeModel
 * @typedef {import("../tree/layout.js").Orientation} Orientation
 */

/**
 * @param {number[][]} children of each node
 * @param {(id: number) => boolean} [isVisible]
 */
function model(children, isVisible = () => true) {
  const childrenOf = (/** @type {number} */ id) => children[id] ?? [];
  return /** @type {TreeModel} */ (/** @type {unknown} */ ({ root: 0, childrenOf, isVisible }));
}

const TREE = [[1, 2], [3, 4, 5], []];
const all = () => true;

test("parents are centred above their children", () => {
  const layout = layOut(model(TREE), all, "down", false);
  const x = (/** @type {number} */ id) => centre(layout, layout.places.get(id) ?? -1).x;
  const { across } = MEASURES.down;
  assert.deepEqual([3, 4, 5, 2].map(x), [0, across, 2 * across, 3 * across]);
  assert.equal(x(1), x(4));
  assert.equal(x(0), (x(1) + x(2)) / 2);
  assert.equal(layout.depth, 3);
});

test("no two nodes of a level overlap, in either orientation", () => {
  for (const orientation of /** @type {Orientation[]} */ (["down", "right"])) {
    const layout = layOut(model(TREE), all, orientation, false);
    const points = layout.order.map((_, place) => centre(layout, place));
    points.forEach((one, index) => {
      for (const other of points.slice(index + 1)) {
        const { width, height } = layout.measures;
        assert.ok(Math.abs(one.x - other.x) >= width || Math.abs(one.y - other.y) >= height);
      }
    });
    const box = bounds(layout);
    assert.ok(points.every(({ x, y }) => x > box.x && y > box.y && x < box.x + box.width && y < box.y + box.height));
  }
});

test("collapsed nodes hide what is below them", () => {
  const layout = layOut(model(TREE), (id) => id === 0, "down", false);
  assert.deepEqual(layout.order, [0, 1, 2]);
});

test("space for later nodes is reserved on request", () => {
  const later = model(TREE, (id) => id < 4);
  assert.equal(layOut(later, all, "down", false).order.length, 4);
  assert.equal(layOut(later, all, "down", true).order.length, 6);
});

test("only nodes in view are drawn, and narrow subtrees as specks", () => {
  const layout = layOut(model(TREE), all, "down", false);
  const ids = (/** @type {number[]} */ places) => places.map((place) => layout.order[place]).sort();
  const everything = { x: -1000, y: -1000, width: 5000, height: 5000 };
  assert.deepEqual(ids(visiblePart(layout, everything, 0).places), [0, 1, 2, 3, 4, 5]);
  const { specks } = visiblePart(layout, everything, 3.5 * MEASURES.down.across);
  assert.deepEqual(ids(specks), [1]);
  const left = { x: -1000, y: 0, width: 900, height: 100 };
  assert.ok(!ids(visiblePart(layout, left, 0).places).includes(2));
});
