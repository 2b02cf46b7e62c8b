/** Highlights of a board: the last move, the selected cells, and the targets of the move being chosen. */

import { svg } from "../lib/dom.js";
import { CELL, isPiles, isPlain } from "./geometry.js";

/** @typedef {import("./geometry.js").Geometry} Geometry */

/**
 * The cells of the last move and of the move being chosen, as coloured squares. Round cells have none.
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 * @param {number[]} last
 * @param {number[]} selected
 */
export function drawHighlights(view, geometry, last, selected) {
  if (hasRoundCells(view)) return [];
  const inset = isPlain(view) ? 9 : 0;
  const side = CELL - 2 * inset;
  const square = (/** @type {number} */ index, /** @type {string} */ kind) => {
    const { x, y } = geometry.centre(index);
    return svg("rect", { class: kind, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: inset });
  };
  return [
    ...(isPiles(view) ? [] : last).map((index) => square(index, "last-cell")),
    ...selected.map((index) => square(index, "selected-cell")),
  ];
}

/**
 * The last-move marker of round cells: a small ring, because a colour would be hidden behind the stone.
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 * @param {number[]} last
 */
export function drawLastMarker(view, geometry, last) {
  if (!hasRoundCells(view)) return [];
  return last.map((index) => {
    const { x, y } = geometry.centre(index);
    const isLight = view.grid === "holes" || (view.cells[index]?.piece?.light ?? false);
    return svg("circle", { class: `last-dot ${isLight ? "on-light" : "on-dark"}`, cx: x, cy: y, r: 17 });
  });
}

/**
 * Dots on the cells that complete or continue a move; rings on those with a piece.
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 * @param {import("./path-picker.js").PathPicker} picker
 */
export function drawTargets(view, geometry, picker) {
  const { ends, ways } = picker.targets();
  const empty = view.cells.filter((cell) => cell.piece === null).length;
  const isPlacing = picker.path.length === 0;
  // No dots if nearly every empty cell is a target.
  if (isPlacing && (view.grid === "holes" || isPiles(view) || ends.size * 2 > empty)) return [];
  const dot = (/** @type {number} */ index, /** @type {number} */ radius) => {
    const { x, y } = geometry.centre(index);
    return view.cells[index].piece && !picker.path.includes(index)
      ? svg("circle", { class: "target-ring", cx: x, cy: y, r: 44 })
      : svg("circle", { class: "target-dot", cx: x, cy: y, r: radius });
  };
  return [...[...ends].map((index) => dot(index, 15)), ...[...ways].map((index) => dot(index, 9))];
}

/** @param {Ludus.BoardDiagram} view */
function hasRoundCells(view) {
  return view.grid === "intersections" || view.grid === "holes";
}
