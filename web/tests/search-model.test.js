import assert from "node:assert/strict";
import { test } from "node:test";
import { SearchModel } from "../tree/search-model.js";
import { cutWords, scoreWords, stepWords, windowWords } from "../tree/words.js";

/** @typedef {import("../tree/search-model.js").TraceNode} TraceNode */

/**
 * @param {number} id
 * @param {number | null} parent
 * @param {string | null} move
 * @param {Partial<TraceNode>} more
 * @returns {TraceNode}
 */
function node(id, parent, move, more) {
  const usual = { depth: 2, alpha: null, beta: null, bound: /** @type {const} */ ("exact"), cause: null };
  return { ...usual, id, parent, move, ply: 0, value: 0, cut: 0, skipped: [], nodes: 1, omitted: 0, pass: 0, ...more };
}

/** @param {TraceNode[]} nodes */
function trace(nodes) {
  return { game: "tree", position: "", player: "alphabeta", depth: 2, visits: nodes.length, passes: [], nodes };
}

/** Alpha-beta on ((3 5) (2 9)): the second leaf of the second branch is cut. */
const ALPHA_BETA = trace([
  node(0, null, null, { value: 3, nodes: 6 }),
  node(1, 0, "a", { ply: 1, depth: 1, value: -3, nodes: 3 }),
  node(2, 1, "x", { ply: 2, depth: 0, value: 3, cause: "horizon" }),
  node(3, 1, "y", { ply: 2, depth: 0, value: 5, cause: "horizon" }),
  node(4, 0, "b", { ply: 1, depth: 1, beta: -3, value: -2, bound: "lower", cause: "cut", cut: 1, nodes: 2 }),
  node(5, 4, "x", { ply: 2, depth: 0, alpha: 3, value: 2, cause: "horizon" }),
]);

/** Plain minimax on the same tree. */
const MINIMAX = trace([
  ...ALPHA_BETA.nodes.slice(0, 4),
  node(4, 0, "b", { ply: 1, depth: 1, value: -2, nodes: 3 }),
  node(5, 4, "x", { ply: 2, depth: 0, value: 2, cause: "horizon" }),
  node(6, 4, "y", { ply: 2, depth: 0, value: 9, cause: "horizon" }),
]);

const PLAIN = /** @type {const} */ ({ viewpoint: "mover", plain: true, names: ["Max", "Min"] });

test("every node is entered and left, in depth-first order", () => {
  const { steps } = new SearchModel(ALPHA_BETA, ["a", "x"]);
  assert.deepEqual(
    steps.map(({ kind, node: at }) => `${kind} ${at}`),
    ["enter 0", "enter 1", "leaf 2", "leaf 3", "leave 1", "enter 4", "leaf 5", "leave 4", "leave 0"],
  );
});

test("seeking shows the tree as it was after that step", () => {
  const model = new SearchModel(ALPHA_BETA, ["a", "x"]);
  model.seek(4);
  assert.equal(model.current, 3);
  assert.deepEqual([...model.path], [0, 1, 3]);
  assert.ok(model.isVisible(3) && !model.isVisible(4) && !model.isDone(1));
  assert.deepEqual(model.bestSoFar(1), { value: -3, child: 2 });
  assert.deepEqual(model.windowNow(1), { alpha: -3, beta: null });
  model.seek(1000);
  assert.ok(model.ended && model.isDone(0));
  assert.equal(model.visibleBelow(0), 5);
});

test("the principal variation is marked once the search has ended", () => {
  const model = new SearchModel(ALPHA_BETA, ["a", "x"]);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].filter((id) => model.isPrincipal(id)),
    [0, 1, 2],
  );
  model.seek(3);
  assert.ok(!model.isPrincipal(1));
});

test("minimax fills in the nodes that were cut", () => {
  const model = new SearchModel(ALPHA_BETA, []);
  assert.ok(model.canBeMeasured(4));
  model.addGhosts(MINIMAX);
  assert.deepEqual(model.cutPart(4), { moves: ["y"], nodes: 1 });
  assert.equal(model.nodes[6].ghost, true);
  assert.ok(!model.canBeMeasured(4));
  model.seek(7);
  assert.ok(!model.isVisible(6), "it appears when the cut node is left");
  model.seek(8);
  assert.ok(model.isVisible(6));
});

test("moves to a node end where a null move was made", () => {
  const nulled = trace([node(0, null, null, {}), node(1, 0, null, { ply: 1 }), node(2, 0, "a", { ply: 1 })]);
  const model = new SearchModel(nulled, []);
  assert.equal(model.movesTo(1), null);
  assert.deepEqual(model.movesTo(2), ["a"]);
});

test("a cutoff is explained by the better alternative", () => {
  const model = new SearchModel(ALPHA_BETA, []);
  assert.equal(
    cutWords(model, 4, PLAIN),
    "With x, Min gets at least −2 here. But Max already has a, which holds Min to −3, and will not allow this position.",
  );
  assert.match(stepWords(model, PLAIN), /search is over/);
});

test("scores and windows in words", () => {
  const cases = /** @type {const} */ ([
    [35, "+0.35"],
    [-120, "−1.20"],
    [0, "0.00"],
    [30_995, "win 5"],
    [-30_998, "loss 2"],
    [32_000, "+∞"],
  ]);
  for (const [score, words] of cases) assert.equal(scoreWords(score, false), words);
  assert.equal(scoreWords(-7, true), "−7");
  assert.equal(windowWords({ alpha: null, beta: 3, value: null, bound: null }, PLAIN), "[−∞, 3]");
});
