/** Static parts of a board: frame, squares, lines, labels. */

import { svg } from "../lib/dom.js";
import { CELL, isPiles, isPlain } from "./geometry.js";

/** @typedef {import("./geometry.js").Geometry} Geometry */

/**
 * The ground under the pieces.
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 * @param {boolean} bare
 * @returns {SVGElement[]}
 */
export function ground(view, geometry, bare) {
  if (isPiles(view)) return [];
  const labels = bare ? [] : edgeLabels(view, geometry);
  switch (view.grid) {
    case "checkered":
      return [...checkered(view, geometry), ...labels, ...(bare ? [] : cellNames(view, geometry))];
    case "intersections":
      return [...crossings(view, geometry), ...labels];
    case "holes":
      return [box(geometry, "rack-back", 22)];
    default:
      return isPlain(view) ? paper(geometry) : [...felt(geometry), ...labels];
  }
}

/**
 * Static parts in front of the pieces: the rack of Connect Four.
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 * @param {boolean} bare
 * @returns {SVGElement[]}
 */
export function foreground(view, geometry, bare) {
  if (view.grid !== "holes") return [];
  const holes = view.cells
    .map((_, index) => {
      const { x, y } = geometry.centre(index);
      return `M${x - 40} ${y}a40 40 0 1 0 80 0a40 40 0 1 0-80 0z`;
    })
    .join("");
  const { width, height } = geometry;
  const outline = `M22 0H${width - 22}A22 22 0 0 1 ${width} 22V${height - 22}A22 22 0 0 1 ${width - 22} ${height}H22A22 22 0 0 1 0 ${height - 22}V22A22 22 0 0 1 22 0z`;
  return [
    svg("path", { class: "rack-front", d: outline + holes, "fill-rule": "evenodd" }),
    svg("path", { class: "rack-rims", d: holes }),
    ...(bare ? [] : edgeLabels(view, geometry)),
  ];
}

/**
 * @param {Geometry} geometry
 * @param {string} kind
 * @param {number} radius
 */
function box(geometry, kind, radius) {
  return svg("rect", { class: kind, width: geometry.width, height: geometry.height, rx: radius });
}

/**
 * @param {Geometry} geometry
 * @param {string} kind
 */
function field(geometry, kind) {
  const { left, top, columns, rows } = geometry;
  return svg("rect", { class: kind, x: left, y: top, width: columns * CELL, height: rows * CELL });
}

/**
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 */
function checkered(view, geometry) {
  const dark = view.cells
    .map((_, index) => index)
    .filter((index) => {
      const even = (Math.floor(index / view.columns) + (index % view.columns)) % 2 === 0;
      return even === view.dark_first;
    });
  const squares = dark.map((index) => {
    const { x, y } = geometry.centre(index);
    return `M${x - 50} ${y - 50}h100v100h-100z`;
  });
  return [
    box(geometry, "frame", 16),
    field(geometry, "light-squares"),
    svg("path", { class: "dark-squares", d: squares.join("") }),
    field(geometry, "grain"),
  ];
}

/** @param {Geometry} geometry */
function felt(geometry) {
  const dots = [2, geometry.columns - 2].flatMap((column) =>
    [2, geometry.rows - 2].map((row) =>
      svg("circle", { class: "felt-dot", cx: geometry.left + column * CELL, cy: geometry.top + row * CELL, r: 7 }),
    ),
  );
  return [box(geometry, "frame", 16), field(geometry, "felt"), lines(geometry, "felt-lines", 0), ...dots];
}

/** @param {Geometry} geometry */
function paper(geometry) {
  const { left, top, columns, rows } = geometry;
  const inner = [];
  for (let column = 1; column < columns; column += 1)
    inner.push(`M${left + column * CELL} ${top + 8}v${rows * CELL - 16}`);
  for (let row = 1; row < rows; row += 1) inner.push(`M${left + 8} ${top + row * CELL}h${columns * CELL - 16}`);
  return [box(geometry, "plain", 16), svg("path", { class: "plain-lines", d: inner.join("") })];
}

/**
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 */
function crossings(view, geometry) {
  const stars = view.cells.flatMap((cell, index) => {
    if (!cell.star) return [];
    const { x, y } = geometry.centre(index);
    return [svg("circle", { class: "star", cx: x, cy: y, r: view.columns > 13 ? 10 : 8 })];
  });
  return [
    box(geometry, "kaya", 12),
    svg("rect", { class: "grain", width: geometry.width, height: geometry.height, rx: 12 }),
    lines(geometry, "kaya-lines", 0.5),
    ...stars,
  ];
}

/**
 * Lines across the board, `inset` cells from its edge: along the cells' borders, or through their middles.
 * @param {Geometry} geometry
 * @param {string} kind
 * @param {number} inset
 */
function lines(geometry, kind, inset) {
  const { columns, rows } = geometry;
  const left = geometry.left + inset * CELL;
  const top = geometry.top + inset * CELL;
  const width = (columns - 2 * inset) * CELL;
  const height = (rows - 2 * inset) * CELL;
  const parts = [];
  for (let x = left; x <= left + width; x += CELL) parts.push(`M${x} ${top}v${height}`);
  for (let y = top; y <= top + height; y += CELL) parts.push(`M${left} ${y}h${width}`);
  return svg("path", { class: kind, d: parts.join("") });
}

/**
 * Letters below and numbers on the left; Go boards have them on all four sides, racks only below.
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 */
function edgeLabels(view, geometry) {
  const { left, right, top, bottom, width, height } = geometry;
  const kind =
    view.grid === "intersections"
      ? `edge-label on-kaya${view.columns > 13 ? " large" : ""}`
      : view.grid === "holes"
        ? "edge-label on-rack"
        : "edge-label";
  const text = (/** @type {string} */ label, /** @type {number} */ x, /** @type {number} */ y) =>
    svg("text", { class: kind, x, y, "text-anchor": "middle", "dominant-baseline": "central" }, label);
  const along = (/** @type {number} */ y) =>
    view.column_labels.map((label, column) => text(label, left + (geometry.turn(0, column).column + 0.5) * CELL, y));
  const down = (/** @type {number} */ x) =>
    view.row_labels.map((label, row) => text(label, x, top + (geometry.turn(row, 0).row + 0.5) * CELL));
  const below = along(height - bottom / 2);
  if (view.grid === "holes") return below;
  const usual = [...below, ...down(left / 2)];
  return view.grid === "intersections" ? [...usual, ...along(top / 2), ...down(width - right / 2)] : usual;
}

/**
 * The numbers of squares on boards without letters at the edge.
 * @param {Ludus.BoardDiagram} view
 * @param {Geometry} geometry
 */
function cellNames(view, geometry) {
  if (view.column_labels.length > 0) return [];
  return view.cells.flatMap((cell, index) => {
    if (!cell.name) return [];
    const { x, y } = geometry.centre(index);
    return [svg("text", { class: "cell-name", x: x - 45, y: y - 30 }, cell.name)];
  });
}
