import assert from "node:assert/strict";
import { test } from "node:test";
import { PathPicker } from "../board/path-picker.js";

/**
 * @param {string} move
 * @param {number[]} cells
 * @param {number[][]} [other_ways]
 */
const legal = (move, cells, other_ways) => ({ move, label: move, cells, other_ways });

/** @param {ReturnType<typeof legal>[]} moves */
function picker(...moves) {
  const picker = new PathPicker();
  picker.start(moves);
  return picker;
}

test("a move with one cell is played by one click", () => {
  const point = legal("D4", [3]);
  assert.deepEqual(picker(point).click(3), { kind: "play", move: point });
  assert.deepEqual(picker(point).click(4), { kind: "none" });
});

test("from and to play a move, and only its targets are shown between", () => {
  const [one, other] = [legal("e2e4", [52, 36]), legal("e2e3", [52, 44])];
  const board = picker(one, other, legal("a2a3", [48, 40]));
  assert.deepEqual(board.targets().ends, new Set());
  assert.deepEqual(board.click(52), { kind: "step" });
  assert.deepEqual(board.targets(), { ends: new Set([36, 44]), ways: new Set() });
  assert.ok(board.isTarget(36) && !board.isTarget(40));
  assert.deepEqual(board.click(36), { kind: "play", move: one });
});

test("a click on another piece selects it, and one on the same piece drops it", () => {
  const board = picker(legal("e2e4", [52, 36]), legal("a2a3", [48, 40]));
  board.click(52);
  assert.deepEqual(board.click(48), { kind: "step" });
  assert.deepEqual(board.path, [48]);
  assert.deepEqual(board.click(48), { kind: "none" });
  assert.deepEqual(board.path, []);
});

test("promotions share their cells, so the picker asks", () => {
  const moves = [legal("a7a8q", [8, 0]), legal("a7a8n", [8, 0])];
  const board = picker(...moves);
  board.click(8);
  assert.deepEqual(board.click(0), { kind: "choose", moves });
});

test("a multiple jump can be clicked cell by cell or at its end", () => {
  const long = legal("1x3", [0, 14, 28]);
  const stepwise = picker(long);
  assert.deepEqual(stepwise.click(0), { kind: "step" });
  assert.deepEqual(stepwise.targets(), { ends: new Set([28]), ways: new Set([14]) });
  assert.deepEqual(stepwise.click(14), { kind: "step" });
  assert.deepEqual(stepwise.reached(), [0, 14]);
  assert.deepEqual(stepwise.click(28), { kind: "play", move: long });
  const direct = picker(long);
  direct.click(0);
  assert.deepEqual(direct.click(28), { kind: "play", move: long });
});

test("two captures that end on one cell are distinguished by the cells between", () => {
  const [left, right] = [legal("1x3l", [0, 10, 30]), legal("1x3r", [0, 20, 30])];
  const board = picker(left, right);
  board.click(0);
  assert.deepEqual(board.click(30), { kind: "step" });
  assert.deepEqual(board.targets(), { ends: new Set(), ways: new Set([10, 20]) });
  assert.deepEqual(board.click(20), { kind: "play", move: right });
});

test("a ring can be jumped in both directions", () => {
  const ring = legal("ring", [0, 9, 18, 0], [[0, 18, 9, 0]]);
  const board = picker(ring);
  assert.equal(board.click(0).kind, "step");
  assert.equal(board.click(18).kind, "step");
  const done = board.click(0);
  assert.ok(done.kind === "play" && done.move.move === "ring");
});
