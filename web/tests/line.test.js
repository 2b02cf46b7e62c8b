import assert from "node:assert/strict";
import { test } from "node:test";
import { lineTo } from "../tree/line.js";

const nodes = [{ parent: null }, { parent: 0 }, { parent: 0 }, { parent: 2 }];

test("a line leads from the root to the node", () => {
  assert.deepEqual(lineTo(nodes, 3), [0, 2, 3]);
  assert.deepEqual(lineTo(nodes, 0), [0]);
});

test("a node that is not there has no line", () => {
  assert.deepEqual(lineTo(nodes, 9), []);
});
