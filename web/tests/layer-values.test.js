import assert from "node:assert/strict";
import { test } from "node:test";
import { layerBoard, layerHeat } from "../pages/train/layer-values.js";

/** @type {Ludus.LayerView} */
const LAYER = { name: "moves to", kind: "weight", values: [2, -4, 0, 8], scale: 4 };

test("numbers are drawn on the scale of the layer", () => {
  assert.deepEqual(layerHeat(LAYER), [0.5, -1, 0, 1]);
  assert.deepEqual(layerHeat({ ...LAYER, values: [0, 0], scale: 0 }), [0, 0]);
});

test("pieces are drawn where they contribute", () => {
  const piece = /** @type {Ludus.PieceView} */ ({ kind: "king", light: true, side: "first" });
  const view = /** @type {Ludus.BoardDiagram} */ ({
    grid: "checkered",
    rows: 1,
    columns: 1,
    column_labels: [],
    row_labels: [],
    notes: [],
    dark_first: false,
    cells: [{ name: "a1", star: false, piece }],
  });
  assert.equal(layerBoard(LAYER, view).cells[0].piece, null);
  assert.equal(layerBoard({ ...LAYER, kind: "contribution" }, view).cells[0].piece, piece);
});
