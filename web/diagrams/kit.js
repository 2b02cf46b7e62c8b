/** Shapes of the diagrams on the Learn pages. Colours are classes of style/learn.css. */

import { svg } from "../lib/dom.js";

export const WIDTH = 480;
export const HEIGHT = 270;

/**
 * @param {string} title description for screen readers
 * @param {...(SVGElement | SVGElement[])} parts
 */
export function diagram(title, ...parts) {
  return svg(
    "svg",
    { class: "diagram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
    ...parts.flat(),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} [tone] also "start" or "end" to anchor there
 */
export function text(x, y, words, tone = "") {
  const anchor = tone.includes("start") ? "start" : tone.includes("end") ? "end" : "middle";
  return svg("text", { class: `d-text ${tone}`, x, y, "text-anchor": anchor }, words);
}

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {string} [tone]
 */
export function line(x1, y1, x2, y2, tone = "") {
  return svg("line", { class: `d-line ${tone}`, x1, y1, x2, y2 });
}

/**
 * @param {string} d
 * @param {string} [tone]
 */
export function path(d, tone = "") {
  return svg("path", { class: `d-line ${tone}`, d, fill: "none" });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} [tone]
 */
export function circle(x, y, radius, tone = "") {
  return svg("circle", { class: `d-shape ${tone}`, cx: x, cy: y, r: radius });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} [tone]
 * @param {number} [round]
 */
export function box(x, y, width, height, tone = "", round = 4) {
  return svg("rect", { class: `d-shape ${tone}`, x, y, width, height, rx: round });
}

/**
 * An arrow.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {string} [tone]
 * @returns {SVGElement[]}
 */
export function arrow(x1, y1, x2, y2, tone = "") {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [backX, backY] = [x2 - dx * 8, y2 - dy * 8];
  const head = `M${x2} ${y2}L${backX - dy * 4} ${backY + dx * 4}L${backX + dy * 4} ${backY - dx * 4}Z`;
  return [line(x1, y1, backX, backY, tone), svg("path", { class: `d-head ${tone}`, d: head })];
}

/**
 * @typedef {object} Branch
 * @property {string} [label] inside the node
 * @property {"max" | "min" | "leaf"} [shape]
 * @property {string} [tone] of the node and the line to it
 * @property {string} [note] beside the node
 * @property {Branch[]} [below]
 */

/**
 * A tree drawn from its root down, leaves at even distances.
 * @param {Branch} root
 * @param {{ left?: number, right?: number, top?: number, step?: number }} [room]
 * @returns {SVGElement[]}
 */
export function tree(root, { left = 24, right = WIDTH - 24, top = 40, step = 84 } = {}) {
  const width = (right - left) / leavesOf(root);
  let next = left + width / 2;
  /** @type {SVGElement[]} */ const lines = [];
  /** @type {SVGElement[]} */ const nodes = [];
  /**
   * @param {Branch} branch
   * @param {number} depth
   * @returns {{ x: number, y: number }}
   */
  const place = (branch, depth) => {
    const children = (branch.below ?? []).map((child) => ({ child, at: place(child, depth + 1) }));
    const y = top + depth * step;
    const x = children.length > 0 ? (children[0].at.x + children[children.length - 1].at.x) / 2 : next;
    if (children.length === 0) next += width;
    for (const { child, at } of children) lines.push(line(x, y, at.x, at.y, child.tone));
    nodes.push(...node(x, y, branch));
    return { x, y };
  };
  place(root, 0);
  return [...lines, ...nodes];
}

/** @param {Branch} branch @returns {number} */
function leavesOf(branch) {
  return branch.below?.length ? branch.below.map(leavesOf).reduce((sum, count) => sum + count, 0) : 1;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {Branch} branch
 */
export function node(x, y, { label = "", shape = "leaf", tone = "", note }) {
  const outline = shape === "leaf" ? box(x - 15, y - 13, 30, 26, `node ${tone}`, 6) : triangle(x, y, shape, tone);
  const parts = [outline, text(x, y + (shape === "leaf" ? 5 : shape === "max" ? 9 : 2), label, `figure ${tone}`)];
  if (note)
    parts.push(
      text(
        x + (shape === "leaf" ? 0 : 30),
        y + (shape === "leaf" ? 32 : 5),
        note,
        `small ${shape === "leaf" ? "" : "start"} ${tone}`,
      ),
    );
  return parts;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {"max" | "min"} shape points up for the maximising side, down for the minimising side
 * @param {string} tone
 */
function triangle(x, y, shape, tone) {
  const up = shape === "max" ? -1 : 1;
  return svg("path", {
    class: `d-shape node ${tone}`,
    d: `M${x} ${y + up * 24}L${x + 25} ${y - up * 17}L${x - 25} ${y - up * 17}Z`,
  });
}

/**
 * A small board of squares.
 * @param {number} x
 * @param {number} y
 * @param {number} size of a square
 * @param {number} count of squares a side
 */
export function board(x, y, size, count) {
  const squares = [box(x, y, size * count, size * count, "paper", 2)];
  for (let row = 0; row < count; row += 1) {
    for (let column = (row + 1) % 2; column < count; column += 2) {
      squares.push(box(x + column * size, y + row * size, size, size, "square", 0));
    }
  }
  return squares;
}

/**
 * Lines of a Go board.
 * @param {number} x
 * @param {number} y
 * @param {number} gap
 * @param {number} count of lines a side
 */
export function crossings(x, y, gap, count) {
  const span = gap * (count - 1);
  return Array.from({ length: count }, (_, index) => [
    line(x, y + index * gap, x + span, y + index * gap, "thin"),
    line(x + index * gap, y, x + index * gap, y + span, "thin"),
  ]).flat();
}

/**
 * The wavy line of a random game.
 * @param {number} x
 * @param {number} y
 * @param {number} length downwards
 * @param {string} [tone]
 */
export function playout(x, y, length, tone = "") {
  const waves = Math.max(2, Math.round(length / 14));
  const part = length / waves;
  let d = `M${x} ${y}`;
  for (let wave = 0; wave < waves; wave += 1) d += `q${wave % 2 ? -9 : 9} ${part / 2} 0 ${part}`;
  return path(d, `dashed ${tone}`);
}
