/** Layout of an unfolded tree: children side by side, parents centred above them. */

/** @typedef {import("./search-model.js").SearchModel} SearchModel */
/** @typedef {import("./growth-model.js").GrowthModel} GrowthModel */
/** @typedef {SearchModel | GrowthModel} TreeModel */
/** @typedef {"down" | "right"} Orientation */

/**
 * @typedef {object} Measures
 * @property {number} width of a node
 * @property {number} height of a node
 * @property {number} across distance between neighbours
 * @property {number} along distance between levels
 */

/** @type {Record<Orientation, Measures>} */
export const MEASURES = {
  down: { width: 104, height: 60, across: 116, along: 116 },
  right: { width: 176, height: 40, across: 47, along: 252 },
};

/**
 * @typedef {object} Layout
 * @property {Orientation} orientation
 * @property {Measures} measures
 * @property {number[]} order the nodes, parents first
 * @property {Map<number, number>} places index of a node in `order`
 * @property {Float64Array} across centre of each node across the tree
 * @property {Float64Array} first smallest position across in the subtree
 * @property {Float64Array} last largest position across in the subtree
 * @property {Int32Array} levels
 * @property {number[][]} children in `order`, of each in `order`
 * @property {number} extent of the whole tree across
 * @property {number} depth number of levels
 */

/**
 * @param {TreeModel} model
 * @param {(id: number) => boolean} isOpen
 * @param {Orientation} orientation
 * @param {boolean} reserve whether space is reserved for later nodes, so that nothing moves
 * @returns {Layout}
 */
export function layOut(model, isOpen, orientation, reserve) {
  const measures = MEASURES[orientation];
  const { order, places, levels, children } = unfold(model, isOpen, reserve);
  const across = new Float64Array(order.length);
  const first = new Float64Array(order.length);
  const last = new Float64Array(order.length);
  let next = 0;
  // Parents come before their children, and leaves in their order from first to last.
  for (let place = 0; place < order.length; place += 1) {
    if (children[place].length > 0) continue;
    across[place] = first[place] = last[place] = next * measures.across;
    next += 1;
  }
  for (let place = order.length - 1; place >= 0; place -= 1) {
    const below = children[place];
    if (below.length === 0) continue;
    across[place] = (across[below[0]] + across[below[below.length - 1]]) / 2;
    first[place] = first[below[0]];
    last[place] = last[below[below.length - 1]];
  }
  const extent = Math.max(0, next - 1) * measures.across;
  const depth = levels.reduce((most, level) => Math.max(most, level + 1), 0);
  return { orientation, measures, order, places, across, first, last, levels, children, extent, depth };
}

/**
 * @param {TreeModel} model
 * @param {(id: number) => boolean} isOpen
 * @param {boolean} reserve
 */
function unfold(model, isOpen, reserve) {
  /** @type {number[]} */
  const order = [];
  /** @type {Map<number, number>} */
  const places = new Map();
  /** @type {number[]} */
  const levels = [];
  /** @type {number[][]} */
  const children = [];
  /** @type {{ id: number, above: number, level: number }[]} */
  const waiting = [{ id: model.root, above: -1, level: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, above, level } = next;
    const place = order.length;
    order.push(id);
    places.set(id, place);
    levels.push(level);
    children.push([]);
    if (above >= 0) children[above].push(place);
    if (!isOpen(id)) continue;
    const all = model.childrenOf(id);
    const below = reserve ? all : all.filter((child) => model.isVisible(child));
    for (let index = below.length - 1; index >= 0; index -= 1) {
      waiting.push({ id: below[index], above: place, level: level + 1 });
    }
  }
  return { order, places, levels: Int32Array.from(levels), children };
}

/**
 * @param {Layout} layout
 * @param {number} place
 * @returns {{ x: number, y: number }} the centre of a node
 */
export function centre(layout, place) {
  const along = layout.levels[place] * layout.measures.along;
  const across = layout.across[place];
  return layout.orientation === "down" ? { x: across, y: along } : { x: along, y: across };
}

/**
 * The bounding box of the tree.
 * @param {Layout} layout
 */
export function bounds(layout) {
  const { width, height, along } = layout.measures;
  const deep = Math.max(0, layout.depth - 1) * along;
  const [wide, tall] = layout.orientation === "down" ? [layout.extent, deep] : [deep, layout.extent];
  // Margin for the badges outside the cards.
  return { x: -width / 2 - 24, y: -height / 2 - 24, width: wide + width + 48, height: tall + height + 56 };
}

/**
 * @typedef {object} VisiblePart the part of a layout to be drawn
 * @property {number[]} places nodes large enough to be drawn one by one
 * @property {number[]} specks roots of subtrees too small to be drawn in detail
 */

/**
 * @param {Layout} layout
 * @param {{ x: number, y: number, width: number, height: number }} view
 * @param {number} speck extent across below which a subtree becomes a speck
 * @returns {VisiblePart}
 */
export function visiblePart(layout, view, speck) {
  const { measures, orientation } = layout;
  const margin = measures.across;
  const [low, high] =
    orientation === "down"
      ? [view.x - margin, view.x + view.width + margin]
      : [view.y - margin, view.y + view.height + margin];
  const [near, far] =
    orientation === "down"
      ? [view.y - measures.along, view.y + view.height + measures.along]
      : [view.x - measures.along, view.x + view.width + measures.along];
  /** @type {VisiblePart} */
  const visible = { places: [], specks: [] };
  const waiting = layout.order.length > 0 ? [0] : [];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (layout.last[place] < low || layout.first[place] > high) continue;
    const along = layout.levels[place] * measures.along;
    if (along > far) continue;
    const below = layout.children[place];
    if (below.length > 0 && layout.last[place] - layout.first[place] + measures.across < speck) {
      visible.specks.push(place);
      continue;
    }
    if (along >= near) visible.places.push(place);
    for (const child of below) waiting.push(child);
  }
  return visible;
}

/**
 * The next visible node in a direction; the node itself if there is none.
 * @param {TreeModel} model
 * @param {number} id
 * @param {"deeper" | "higher" | "next" | "previous"} direction
 */
export function neighbour(model, id, direction) {
  const visible = (/** @type {number} */ other) => model.isVisible(other);
  if (direction === "deeper") return model.childrenOf(id).find(visible) ?? id;
  const parent = model.parentOf(id);
  if (parent === null) return id;
  if (direction === "higher") return parent;
  const siblings = model.childrenOf(parent).filter(visible);
  return siblings[siblings.indexOf(id) + (direction === "next" ? 1 : -1)] ?? id;
}
