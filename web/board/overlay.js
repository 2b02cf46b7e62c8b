/** Overlay of a board: arrows, marks, small texts, territory. */

import { svg } from "../lib/dom.js";

/** @typedef {import("./geometry.js").Geometry} Geometry */

/**
 * @param {Ludus.Arrow[]} arrows
 * @param {Geometry} geometry
 * @returns {SVGElement[]}
 */
export function drawArrows(arrows, geometry) {
  return arrows.map((arrow) => (arrow.from === arrow.to ? spot(arrow, geometry) : shaft(arrow, geometry)));
}

/**
 * A ring, for moves that name only one cell.
 * @param {Ludus.Arrow} arrow
 * @param {Geometry} geometry
 */
function spot(arrow, geometry) {
  const { x, y } = geometry.centre(arrow.to);
  const strength = arrow.strength ?? 1;
  return svg(
    "g",
    { opacity: 0.45 + 0.5 * strength, style: colour(arrow.colour) },
    svg("circle", { class: "arrow-spot", cx: x, cy: y, r: 36, "stroke-width": 6 + 6 * strength }),
    label(arrow.label, x, y),
  );
}

/**
 * @param {Ludus.Arrow} arrow
 * @param {Geometry} geometry
 */
function shaft(arrow, geometry) {
  const from = geometry.centre(arrow.from);
  const to = geometry.centre(arrow.to);
  const strength = arrow.strength ?? 1;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const half = 4 + 6 * strength;
  const head = 22 + 18 * strength;
  const tip = length - 12;
  const neck = tip - head;
  const outline = `M22 ${-half}H${neck}V${-head * 0.62}L${tip} 0 ${neck} ${head * 0.62}V${half}H22z`;
  return svg(
    "g",
    { opacity: 0.45 + 0.4 * strength, style: colour(arrow.colour) },
    svg("path", {
      class: "arrow",
      d: outline,
      transform: `translate(${from.x} ${from.y}) rotate(${angle.toFixed(2)})`,
    }),
    label(arrow.label, (from.x + to.x) / 2, (from.y + to.y) / 2),
  );
}

/** @param {string | undefined} value */
function colour(value) {
  return value ? { "--mark-arrow": value } : {};
}

/**
 * @param {string | undefined} text
 * @param {number} x
 * @param {number} y
 */
function label(text, x, y) {
  if (!text) return null;
  return svg("text", { class: "arrow-label", x, y, "text-anchor": "middle", "dominant-baseline": "central" }, text);
}

/**
 * @param {Ludus.Mark[]} marks
 * @param {Geometry} geometry
 * @returns {SVGElement[]}
 */
export function drawMarks(marks, geometry) {
  const shapes = {
    ring: "M-34 0a34 34 0 1 0 68 0a34 34 0 1 0-68 0z",
    cross: "M-22-22L22 22M22-22L-22 22",
    square: "M-26-26h52v52h-52z",
    triangle: "M0-32L29 20h-58z",
  };
  return marks.map((mark) => {
    const { x, y } = geometry.centre(mark.cell);
    return svg("path", {
      class: "mark",
      d: shapes[mark.shape ?? "ring"],
      transform: `translate(${x} ${y})`,
      style: colour(mark.colour),
    });
  });
}

/**
 * @param {Ludus.CellText[]} texts
 * @param {Geometry} geometry
 * @returns {SVGElement[]}
 */
export function drawNumbers(texts, geometry) {
  return texts.map(({ cell, text, colour: ink }) => {
    const { x, y } = geometry.centre(cell);
    const size = text.length > 3 ? 26 : 34;
    return svg(
      "text",
      {
        class: "cell-number",
        x,
        y,
        "font-size": size,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        style: ink ? { fill: ink } : {},
      },
      text,
    );
  });
}

/**
 * Territory: the expected owner of each cell, from -1 (second side) to 1 (first side).
 * @param {number[]} heat
 * @param {Geometry} geometry
 * @param {boolean} firstIsLight
 * @returns {SVGElement[]}
 */
export function drawHeat(heat, geometry, firstIsLight) {
  return heat.flatMap((owner, index) => {
    const sureness = Math.min(1, Math.abs(owner));
    if (sureness < 0.08) return [];
    const { x, y } = geometry.centre(index);
    const half = 14 + 14 * sureness;
    const light = owner > 0 === firstIsLight;
    return [
      svg("rect", {
        class: light ? "heat light" : "heat dark",
        x: x - half,
        y: y - half,
        width: 2 * half,
        height: 2 * half,
        rx: 5,
        opacity: (0.2 + 0.65 * sureness).toFixed(2),
      }),
    ];
  });
}
