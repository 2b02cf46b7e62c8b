/** Drawing of a curve chart: axes, grid, lines. */

import { svg } from "../lib/dom.js";
import { linearScale, logScale, shortNumber, tightScale } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */
/** @typedef {[number, number]} Point */
/**
 * @typedef {object} Series
 * @property {string} name
 * @property {Point[]} points by rising x
 * @property {number} [colour] index in the palette; its position in the list by default
 */
/** @typedef {{ width: number, height: number, left: number, right: number, top: number, bottom: number }} Frame */
/** @typedef {{ frame: Frame, across: Scale, up: Scale }} Plan */

export const PALETTE_SIZE = 6;

/**
 * @param {number} width
 * @param {number} height
 * @returns {Frame}
 */
export function frameOf(width, height) {
  return { width, height, left: 48, right: 12, top: 12, bottom: 30 };
}

/**
 * The scales of a plot; null if there is nothing to draw.
 * @param {Series[]} series
 * @param {Frame} frame
 * @param {boolean} logarithmic
 * @returns {Plan | null}
 */
export function planOf(series, frame, logarithmic) {
  const points = series.flatMap((one) => drawable(one.points, logarithmic));
  if (points.length === 0) return null;
  const [left, right] = extent(points, 0);
  const [least, most] = extent(points, 1);
  const rows = Math.max(2, Math.round(frame.height / 56));
  const columns = Math.max(2, Math.round(frame.width / 90));
  return {
    frame,
    across: tightScale(left, right, columns),
    up: logarithmic ? logScale(least, most) : linearScale(least, most, rows),
  };
}

/**
 * @param {Point[]} points
 * @param {0 | 1} axis
 * @returns {[number, number]}
 */
function extent(points, axis) {
  let least = Infinity;
  let most = -Infinity;
  for (const point of points) {
    least = Math.min(least, point[axis]);
    most = Math.max(most, point[axis]);
  }
  return [least, most];
}

/**
 * The points that can be shown on the scale.
 * @param {Point[]} points
 * @param {boolean} logarithmic
 */
export function drawable(points, logarithmic) {
  return points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y) && (!logarithmic || y > 0));
}

/**
 * @param {Plan} plan
 * @param {number} x
 */
export function placeAcross({ frame, across }, x) {
  return frame.left + across.place(x) * (frame.width - frame.left - frame.right);
}

/**
 * @param {Plan} plan
 * @param {number} y
 */
export function placeUp({ frame, up }, y) {
  return frame.height - frame.bottom - up.place(y) * (frame.height - frame.top - frame.bottom);
}

/**
 * The x value at a horizontal position.
 * @param {Plan} plan
 * @param {number} place
 */
export function valueAcross({ frame, across }, place) {
  return across.value((place - frame.left) / (frame.width - frame.left - frame.right));
}

/**
 * Grid lines and the labels of both axes.
 * @param {Plan} plan
 * @param {string} label of the x axis
 */
export function axes(plan, label) {
  const { frame, across, up } = plan;
  const floor = frame.height - frame.bottom;
  const rows = up.ticks.flatMap((tick) => {
    const y = placeUp(plan, tick);
    return [
      svg("line", { class: "chart-grid", x1: frame.left, x2: frame.width - frame.right, y1: y, y2: y }),
      svg("text", { class: "chart-tick", x: frame.left - 8, y: y + 4, "text-anchor": "end" }, shortNumber(tick)),
    ];
  });
  const room = label.length * 6.5 + 12;
  const columns = across.ticks.flatMap((tick) => {
    const x = placeAcross(plan, tick);
    const mark = svg("line", { class: "chart-mark", x1: x, x2: x, y1: floor, y2: floor + 4 });
    if (x > frame.width - frame.right - room) return [mark];
    return [mark, svg("text", { class: "chart-tick", x, y: floor + 18, "text-anchor": "middle" }, shortNumber(tick))];
  });
  const axis = svg("line", {
    class: "chart-axis",
    x1: frame.left,
    x2: frame.width - frame.right,
    y1: floor,
    y2: floor,
  });
  const name = svg(
    "text",
    { class: "chart-label", x: frame.width - frame.right, y: floor + 18, "text-anchor": "end" },
    label,
  );
  return [...rows, axis, ...columns, name];
}

/**
 * The path data of a line, thinned to the resolution of the screen.
 * @param {Plan} plan
 * @param {Point[]} points
 * @param {boolean} logarithmic
 */
export function linePath(plan, points, logarithmic) {
  const shown = thinned(drawable(points, logarithmic), plan.frame.width);
  return shown
    .map(
      ([x, y], index) => `${index === 0 ? "M" : "L"}${placeAcross(plan, x).toFixed(1)} ${placeUp(plan, y).toFixed(1)}`,
    )
    .join("");
}

/**
 * The lowest and highest point of every bucket, if there are far more points than pixels.
 * @param {Point[]} points
 * @param {number} width
 */
export function thinned(points, width) {
  if (points.length <= width * 2) return points;
  const stretch = Math.ceil(points.length / width);
  /** @type {Point[]} */
  const kept = [];
  for (let start = 0; start < points.length; start += stretch) {
    const part = points.slice(start, start + stretch).sort((one, other) => one[1] - other[1]);
    const ends = [part[0], part[part.length - 1]].sort((one, other) => one[0] - other[0]);
    kept.push(...ends);
  }
  return kept;
}

/**
 * The point with the nearest x.
 * @param {Point[]} points by rising x
 * @param {number} x
 * @returns {Point | undefined}
 */
export function nearest(points, x) {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < x) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  if (!before || !after) return before ?? after;
  return x - before[0] < after[0] - x ? before : after;
}
