/** Edges of a search tree, and the marks on them. */

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{ x: number, y: number }} Point */

/**
 * Path of an edge from a node to its child.
 * @param {Layout} layout
 * @param {Point} from
 * @param {Point} to
 */
export function edgePath({ orientation, measures }, from, to) {
  const n = (/** @type {number} */ number) => number.toFixed(1);
  if (orientation === "down") {
    const [start, end] = [from.y + measures.height / 2, to.y - measures.height / 2];
    const middle = (start + end) / 2;
    return `M${n(from.x)} ${n(start)}C${n(from.x)} ${n(middle)} ${n(to.x)} ${n(middle)} ${n(to.x)} ${n(end)}`;
  }
  const [start, end] = [from.x + measures.width / 2, to.x - measures.width / 2];
  const middle = (start + end) / 2;
  return `M${n(start)} ${n(from.y)}C${n(middle)} ${n(from.y)} ${n(middle)} ${n(to.y)} ${n(end)} ${n(to.y)}`;
}

/**
 * The cut mark of textbooks: two strokes across the middle of an edge.
 * @param {Layout} layout
 * @param {Point} from
 * @param {Point} to
 */
export function cutStrokes({ orientation, measures }, from, to) {
  const half = orientation === "down" ? measures.height / 2 : measures.width / 2;
  const start = orientation === "down" ? { x: from.x, y: from.y + half } : { x: from.x + half, y: from.y };
  const end = orientation === "down" ? { x: to.x, y: to.y - half } : { x: to.x - half, y: to.y };
  const [x, y] = [(start.x + end.x) / 2, (start.y + end.y) / 2];
  return [-3, 3].map((shift) => `M${x - 7} ${y + shift + 4}L${x + 7} ${y + shift - 4}`).join("");
}

/**
 * Stroke width of the edge to a node: the more visits, the thicker.
 * @param {import("./growth-model.js").GrowthModel} model
 * @param {number} id
 */
export function edgeWidth(model, id) {
  const share = model.figures(id).visits / Math.max(1, model.figures(0).visits);
  return Math.round((1 + 7 * Math.sqrt(share)) * 10) / 10;
}
