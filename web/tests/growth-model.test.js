import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowthModel } from "../tree/growth-model.js";

const CONSTANT = 1.4;

/**
 * @param {number} id
 * @param {number | null} parent
 * @param {string | null} move
 * @param {number} visits
 * @param {number} points
 * @param {number} above visits of the parent
 */
function node(id, parent, move, visits, points, above) {
  const mean = points / visits;
  const uct = parent === null ? null : mean + CONSTANT * Math.sqrt(Math.log(above) / visits);
  return {
    id,
    parent,
    move,
    visits,
    points,
    mean,
    uct,
    rave_visits: null,
    rave_mean: null,
    proof: null,
    expanded: true,
  };
}

/** Four simulations: a won, b lost, a then c drawn, a won. */
const TRACE = {
  game: "tictactoe",
  position: "",
  player: "mcts",
  depth: 2,
  visits: 4,
  simulations: [
    { path: ["a"], value: 1, played_on: 3 },
    { path: ["b"], value: -1, played_on: 3 },
    { path: ["a", "c"], value: 0, played_on: 2 },
    { path: ["a"], value: 1, played_on: 3 },
  ],
  nodes: [
    node(0, null, null, 4, 1.5, 0),
    node(1, 0, "a", 3, 2.5, 4),
    node(2, 0, "b", 1, 0, 4),
    node(3, 1, "c", 1, 0.5, 3),
  ],
};

test("visits and points are counted up to the step", () => {
  const model = new GrowthModel(TRACE, ["a", "c"]);
  model.seek(2);
  assert.deepEqual([...model.visits], [2, 1, 1, 0]);
  assert.deepEqual([...model.points], [1, 1, 0, 0]);
  assert.equal(model.current, 2);
  assert.ok(!model.isVisible(3));
  model.seek(3);
  assert.equal(model.current, 3);
  assert.equal(model.visibleBelow(0), 3);
  model.seek(0);
  assert.deepEqual([...model.visits], [0, 0, 0, 0]);
});

test("at the end the recorded figures are shown", () => {
  const model = new GrowthModel(TRACE, ["a", "c"]);
  assert.ok(model.ended);
  const { visits, points, mean } = model.figures(1);
  assert.deepEqual({ visits, points, mean }, { visits: 3, points: 2.5, mean: 2.5 / 3 });
  assert.deepEqual(model.childrenOf(0), [1, 2], "most visited first");
  assert.ok(model.isPrincipal(3) && !model.isPrincipal(2));
});

test("the exploration constant is found in the figures", () => {
  const model = new GrowthModel(TRACE, []);
  assert.ok(Math.abs(Number(model.constant) - CONSTANT) < 1e-9);
  model.seek(3);
  const { uct, exploration, mean } = model.figures(1);
  assert.ok(Math.abs(Number(exploration) - CONSTANT * Math.sqrt(Math.log(3) / 2)) < 1e-9);
  assert.equal(uct, mean + Number(exploration));
});

test("a formula with other terms has no constant", () => {
  const nodes = TRACE.nodes.map((one) => (one.id === 2 ? { ...one, uct: 5 } : one));
  assert.equal(new GrowthModel({ ...TRACE, nodes }, []).constant, null);
});

test("visits beyond the recorded simulations are prior knowledge", () => {
  assert.ok(!new GrowthModel(TRACE, []).hasPriors);
  const nodes = TRACE.nodes.map((one) => (one.id === 1 ? { ...one, visits: 9 } : one));
  assert.ok(new GrowthModel({ ...TRACE, nodes }, []).hasPriors);
});

/** The worked example of a chess study: S1 (t = 20, n = 2) against S2 (t = 10, n = 1), then S2 once more. */
const RAW_TRACE = {
  ...TRACE,
  simulations: [
    { path: ["S1"], value: 20, played_on: 0 },
    { path: ["S2"], value: 10, played_on: 0 },
    { path: ["S1", "S3"], value: 0, played_on: 0 },
    { path: ["S2", "S5"], value: -10, played_on: 0 },
  ],
  nodes: [
    node(0, null, null, 4, 20, 0),
    node(1, 0, "S1", 2, 20, 4),
    node(2, 0, "S2", 2, 0, 4),
    node(3, 1, "S3", 1, 0, 2),
    node(4, 2, "S5", 1, -10, 2),
  ],
  raw: { exploration: 2, negated_parity: null },
};

test("raw values are summed for the first side at every level", () => {
  const model = new GrowthModel(RAW_TRACE, []);
  assert.deepEqual([...model.points], [20, 20, 0, 0, -10]);
  model.seek(3);
  const uct = [1, 2].map((id) => Number(model.figures(id).uct).toFixed(2));
  assert.deepEqual(uct, ["11.48", "12.10"]);
  assert.equal(model.figures(0).mean, 10);
  assert.equal(model.share(3), 0.5);
  assert.ok(model.share(1) > 0.9);
});

test("the second side may select by the negated mean", () => {
  const raw = { exploration: 2, negated_parity: 0 };
  const uct = -(-10) + 2 * Math.sqrt(Math.log(2));
  const nodes = RAW_TRACE.nodes.map((one) => (one.id === 4 ? { ...one, uct } : one));
  const model = new GrowthModel({ ...RAW_TRACE, nodes, raw }, []);
  assert.ok(Math.abs(Number(model.figures(4).exploration) - 2 * Math.sqrt(Math.log(2))) < 1e-9);
  model.seek(2);
  assert.equal(model.figures(1).mean, 20);
});
