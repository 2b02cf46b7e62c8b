/** Zoomed-out search tree: boxes instead of cards, and further out spans, batched into a few SVG paths. */

import { toneOf } from "./cards.js";
import { edgePath } from "./edges.js";
import { centre } from "./layout.js";
import { nodeName } from "./words.js";

/** @typedef {import("./layout.js").TreeModel} TreeModel */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").VisiblePart} VisiblePart */
/** @typedef {{ x: number, y: number }} Point */

/**
 * @param {TreeModel} model
 * @param {Layout} layout
 * @param {VisiblePart} visible
 * @param {boolean} isDense
 * @returns {Map<string, string[]>} path data by CSS classes
 */
export function farPaths(model, layout, { places, specks }, isDense) {
  /** @type {Map<string, string[]>} */
  const paths = new Map();
  const add = (/** @type {string} */ name, /** @type {string} */ d) => {
    const list = paths.get(name);
    if (list) list.push(d);
    else paths.set(name, [d]);
  };
  for (const place of [...places, ...specks]) {
    const id = layout.order[place];
    if (!model.isVisible(id)) continue;
    const kind = model.path.has(id) ? "on-path" : model.isPrincipal(id) ? "principal" : "plain";
    const tone = model.kind === "search" ? toneOf(model, id) : "grown";
    const classes = `tone-${tone}${kind === "plain" ? "" : ` ${kind}`}`;
    if (isDense) {
      add(`far-span ${classes}`, spanPath(layout, place, 1));
      continue;
    }
    const at = centre(layout, place);
    const parent = layout.places.get(model.parentOf(id) ?? -1);
    if (parent !== undefined && place > 0) add(`far-edge ${kind}`, edgePath(layout, centre(layout, parent), at));
    add(`far-box ${classes}`, boxPath(layout, at));
  }
  for (const place of specks) {
    const id = layout.order[place];
    const isGhost = model.kind === "search" && model.nodes[id].ghost === true;
    if (model.isVisible(id))
      add(isGhost ? "far-speck ghost" : "far-speck", spanPath(layout, place, layout.depth - layout.levels[place], 1));
  }
  return paths;
}

/** Smallest height in pixels of a span with a name. */
const MIN_NAMED_HEIGHT_PX = 15;
const MAX_NAMES = 120;

/**
 * Names of the spans that are large enough on the screen.
 * @param {TreeModel} model
 * @param {Layout} layout
 * @param {VisiblePart} visible
 * @param {ReturnType<import("./viewport.js").Viewport["frame"]>} frame
 * @returns {{ x: number, y: number, text: string, isGhost: boolean }[]}
 */
export function farLabels(model, layout, { places, specks }, frame) {
  const { along, across } = layout.measures;
  const isDown = layout.orientation === "down";
  const [scale, origin, room] = isDown ? [frame.scaleX, frame.x, frame.width] : [frame.scaleY, frame.y, frame.height];
  /** @type {{ x: number, y: number, text: string, isGhost: boolean }[]} */
  const names = [];
  for (const place of [...places, ...specks]) {
    const id = layout.order[place];
    const low = Math.max(0, (layout.first[place] - across / 2 - origin) * scale);
    const high = Math.min(room, (layout.last[place] + across / 2 - origin) * scale);
    if (
      high - low < (isDown ? MIN_NAMED_HEIGHT_PX * 2.4 : MIN_NAMED_HEIGHT_PX) ||
      !model.isVisible(id) ||
      names.length >= MAX_NAMES
    )
      continue;
    const level = layout.levels[place] * along;
    const middle = (low + high) / 2;
    const [x, y] = isDown ? [middle, (level - frame.y) * frame.scaleY] : [(level - frame.x) * frame.scaleX, middle];
    names.push({
      x,
      y,
      text: nodeName(model.nodes[id]),
      isGhost: model.kind === "search" && model.nodes[id].ghost === true,
    });
  }
  return names;
}

/** Drawing order of classes. @param {string} name */
export function farRank(name) {
  const layer = name.startsWith("far-edge") ? 0 : name.startsWith("far-speck") ? 1 : 2;
  return layer * 2 + (name.includes("on-path") || name.includes("principal") ? 1 : 0);
}

/**
 * @param {TreeModel} model
 * @param {Layout} layout
 * @param {VisiblePart} visible
 * @param {Point} point in the drawing
 * @param {{ isDense: boolean, near: number }} how
 * @returns {number} index of the node at the point; -1 if there is none
 */
export function farPlaceAt(model, layout, { places, specks }, point, { isDense, near }) {
  const [along, across] = layout.orientation === "down" ? [point.y, point.x] : [point.x, point.y];
  const { width, height } = layout.measures;
  let best = { place: -1, distance: Infinity };
  for (const place of [...places, ...specks]) {
    if (!model.isVisible(layout.order[place])) continue;
    const at = centre(layout, place);
    const distance = isDense
      ? spanDistance(layout, place, along, across)
      : Math.max(Math.abs(at.x - point.x) - width / 2, Math.abs(at.y - point.y) - height / 2);
    if (distance < best.distance) best = { place, distance };
  }
  return best.distance < near ? best.place : -1;
}

/**
 * @param {Layout} layout
 * @param {number} place
 * @param {number} along
 * @param {number} across
 */
function spanDistance(layout, place, along, across) {
  const level = layout.levels[place] * layout.measures.along;
  if (Math.abs(along - level) > layout.measures.along / 2) return Infinity;
  const half = layout.measures.across / 2;
  return Math.max(0, layout.first[place] - half - across, across - layout.last[place] - half);
}

/**
 * @param {Layout} layout
 * @param {Point} at
 */
function boxPath({ measures: { width, height } }, at) {
  return `M${(at.x - width / 2).toFixed(1)} ${(at.y - height / 2).toFixed(1)}h${width}v${height}h${-width}z`;
}

/**
 * Path of a bar that stands for the subtree of a node.
 * @param {Layout} layout
 * @param {number} place
 * @param {number} levels number of levels covered
 * @param {number} [skip] levels between the node and the bar
 */
function spanPath(layout, place, levels, skip = 0) {
  const { along, across } = layout.measures;
  const start = (layout.levels[place] + skip - 0.46) * along;
  const deep = (levels - skip - 0.08) * along;
  if (deep <= 0) return "";
  const low = layout.first[place] - across * 0.46;
  const broad = layout.last[place] - layout.first[place] + across * 0.92;
  return layout.orientation === "down"
    ? `M${low.toFixed(1)} ${start.toFixed(1)}h${broad.toFixed(1)}v${deep.toFixed(1)}h${(-broad).toFixed(1)}z`
    : `M${start.toFixed(1)} ${low.toFixed(1)}h${deep.toFixed(1)}v${broad.toFixed(1)}h${(-deep).toFixed(1)}z`;
}
