// <ludus-search-tree>: a search tree to look at. It unfolds, pans and zooms, and draws only what can be seen.

import { el, on, setAttributes, svg } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { bounds, centre, inSight, layOut } from "./tree-layout.js";
import { cardOf, makeCard, paintCard } from "./tree-cards.js";
import { edgePath, farLabels, farPaths, farPlaceAt, farRank } from "./tree-far.js";
import { Viewport } from "./tree-viewport.js";

/** @typedef {import("./tree-layout.js").TreeModel} TreeModel */
/** @typedef {import("./tree-layout.js").Layout} Layout */
/** @typedef {import("./tree-layout.js").Orientation} Orientation */
/** @typedef {import("./tree-words.js").Telling} Telling */
/** @typedef {import("./tree-cards.js").Drawn} Drawn */
/** @typedef {{ x: number, y: number }} Point */

/** Below this scale cards cannot be read and become plain boxes. */
const READABLE = 0.42;
/** Below this one only their main figures can. */
const CLEAR = 0.5;
/** The scale at first, if the whole tree would be too small. */
const COMFORTABLE = 0.72;
/** More cards than this at once are drawn as boxes. */
const MOST_CARDS = 420;
/** Parts of the tree narrower than this on the screen become one speck. */
const SPECK = 5;
/** Leaves closer than this on the screen are drawn as spans. */
const DENSE = 9;
const MOVE_TIME = 220;
/** Up to this many leaves a tree is drawn from the top down. */
const WIDE = 14;

let trees = 0;

export class LudusSearchTree extends HTMLElement {
  #number = trees++;
  /** @type {TreeModel | null} */
  #model = null;
  /** @type {Telling} */
  #telling = { viewpoint: "mover", plain: false, names: ["Max", "Min"] };
  /** @type {Orientation | null} */
  #orientation = null;
  /** @type {Layout | null} */
  #layout = null;
  /** @type {Map<number, boolean>} what somebody opened or closed */
  #choices = new Map();
  /** @type {Map<number, Drawn>} */
  #cards = new Map();
  /** @type {Map<number, Point>} where nodes are drawn now */
  #shown = new Map();
  /** @type {{ from: Map<number, Point>, start: number } | null} */
  #moving = null;
  #selected = -1;
  #frame = 0;
  #layoutKey = "";
  #mustFit = true;
  /** Whether every node was opened. */
  #isUnfolded = false;
  /** Counts what was opened and closed. */
  #changes = 0;
  /** @type {SVGSVGElement} */
  #svg = svg("svg", { class: "tree-svg", role: "tree", tabindex: 0, "aria-label": "Search tree" });
  #scene = svg("g");
  #edges = svg("g", { class: "tree-edges" });
  #group = svg("g", { class: "tree-cards", role: "presentation" });
  #far = svg("g", { class: "tree-far", "aria-hidden": "true" });
  #labels = svg("g", { class: "far-labels", "aria-hidden": "true" });
  /** @type {Map<string, SVGPathElement>} */
  #farPaths = new Map();
  #viewport = new Viewport(this.#svg, () => this.#schedule(), (point) => this.#clickFar(point));
  /** @type {(() => void)[]} */
  #cleanUp = [];

  connectedCallback() {
    if (!this.firstChild) this.#build();
    const watch = new ResizeObserver(() => {
      this.#viewport.measure();
      if (this.#mustFit) this.#fitNow();
      this.#schedule();
    });
    watch.observe(this.#svg);
    this.#cleanUp = [() => watch.disconnect(), this.#viewport.listen(),
      on(this.#svg, "click", (/** @type {MouseEvent} */ event) => this.#click(event)),
      on(this.#svg, "dblclick", (/** @type {MouseEvent} */ event) => event.preventDefault()),
      on(this.#svg, "keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event))];
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const clean of this.#cleanUp) clean();
    this.#cleanUp = [];
  }

  #build() {
    this.#scene.append(this.#far, this.#edges, this.#group);
    this.#svg.append(this.#scene, this.#labels);
    const tool = (/** @type {string} */ label, /** @type {Node | string} */ face, /** @type {() => void} */ act) =>
      el("button", { type: "button", class: "tree-tool", title: label, "aria-label": label, onclick: act }, face);
    this.append(this.#svg, el("div", { class: "tree-tools" },
      tool("Zoom in", icon("plus", 18), () => this.zoom(1.4)),
      tool("Zoom out", "−", () => this.zoom(1 / 1.4)),
      tool("Fit the tree (0)", fitIcon(), () => this.fit()),
      tool("Turn the tree", icon("flip", 18), () => this.turn())));
  }

  /** @param {TreeModel | null} model */
  set model(model) {
    this.#model = model;
    this.#choices.clear();
    this.#isUnfolded = false;
    this.#selected = -1;
    this.#orientation = null;
    this.#mustFit = true;
    this.#clear();
    this.refresh();
  }

  get model() {
    return this.#model;
  }

  /** @param {Telling} telling */
  set telling(telling) {
    this.#telling = telling;
    this.refresh();
  }

  get selected() {
    return this.#selected;
  }

  set selected(id) {
    this.#selected = id;
    this.#schedule();
  }

  /** Draws the model as it is now, after a step. */
  refresh() {
    if (!this.#model) return;
    const before = this.#layout;
    this.#arrange();
    if (this.#mustFit) this.#fitNow();
    else if (before) this.#keepInView(this.#model.current);
    this.#schedule();
  }

  /** Draws a model anew to which nodes were added. */
  remember() {
    this.#changes += 1;
    this.refresh();
  }

  fit() {
    this.#fitNow(false);
    this.#schedule();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.#mustFit = false;
    this.#viewport.zoomAt(factor);
  }

  /** From the top down, or from left to right. */
  turn() {
    this.#orientation = this.#layout?.orientation === "down" ? "right" : "down";
    this.#clear();
    this.#arrange();
    this.#fitNow(true);
    this.#schedule();
  }

  /**
   * Opens all above a node and shows it.
   * @param {number} id
   */
  reveal(id) {
    if (!this.#model) return;
    for (const above of this.#model.lineTo(id).slice(0, -1)) this.#choices.set(above, true);
    this.#changes += 1;
    this.#selected = id;
    this.#arrange();
    this.#keepInView(id);
    this.#schedule();
  }

  /** @param {boolean} open every node, or none but what opens itself */
  unfold(open) {
    if (!this.#model) return;
    this.#choices.clear();
    this.#isUnfolded = open;
    this.#changes += 1;
    this.#arrange();
    this.#fitNow(!open);
    this.#schedule();
  }

  #clear() {
    this.#layoutKey = "";
    this.#layout = null;
    this.#cards.clear();
    this.#shown.clear();
    this.#moving = null;
    this.#group.replaceChildren();
    this.#edges.replaceChildren();
  }

  /** @param {number} id */
  #name(id) {
    return `tree-${this.#number}-${id}`;
  }

  /** @param {number} id */
  #isOpen(id) {
    return this.#choices.get(id) ?? (this.#isUnfolded || (this.#model?.opensItself(id) ?? false));
  }

  /** Lays the tree out if what is open has changed, and keeps the current node where it is on the screen. */
  #arrange() {
    const model = this.#model;
    if (!model) return;
    const reserve = model.isSmall || this.#isUnfolded;
    // With room for all nothing moves unless somebody opens or closes a node.
    const stable = `${this.#orientation} ${model.root} ${this.#changes}`;
    if (reserve && stable === this.#layoutKey) return;
    const layout = this.#laidOut(model, reserve);
    const key = reserve ? `${layout.orientation} ${model.root} ${this.#changes}` : layout.order.join();
    if (key === this.#layoutKey) return;
    const old = this.#layout;
    this.#layoutKey = key;
    this.#layout = layout;
    if (!old || old.order[0] !== layout.order[0]) return;
    const anchor = [this.#selected, model.current, model.root].find((id) => old.places.has(id) && layout.places.has(id));
    if (anchor === undefined) return;
    const was = centre(old, old.places.get(anchor) ?? 0);
    const is = centre(layout, layout.places.get(anchor) ?? 0);
    const [dx, dy] = [is.x - was.x, is.y - was.y];
    this.#viewport.shift(dx, dy);
    const from = new Map();
    for (const [id, point] of this.#shown) from.set(id, { x: point.x + dx, y: point.y + dy });
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#moving = calm || from.size > MOST_CARDS ? null : { from, start: performance.now() };
  }

  /**
   * @param {TreeModel} model
   * @param {boolean} reserve
   */
  #laidOut(model, reserve) {
    const isOpen = (/** @type {number} */ id) => this.#isOpen(id);
    if (this.#orientation) return layOut(model, isOpen, this.#orientation, reserve);
    const down = layOut(model, isOpen, "down", reserve);
    this.#orientation = down.extent / down.measures.across < WIDE ? "down" : "right";
    return this.#orientation === "down" ? down : layOut(model, isOpen, "right", reserve);
  }

  /** The whole tree, or, at first, as much of it around the root as can be read. */
  #fitNow(readable = this.#mustFit) {
    const layout = this.#layout;
    if (!layout) return;
    const smallest = readable && this.#viewport.scaleToFit(bounds(layout)) < CLEAR ? COMFORTABLE : 0;
    this.#mustFit = !this.#viewport.fit(bounds(layout), smallest, centre(layout, 0), layout.orientation);
  }

  /** @param {number} id */
  #keepInView(id) {
    const place = this.#layout?.places.get(id);
    if (!this.#layout || place === undefined) return;
    this.#viewport.keepInView(centre(this.#layout, place), this.#layout.measures);
  }

  #schedule() {
    if (this.#frame !== 0 || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#draw();
      if (this.#frame === 0) setAttributes(this.#svg, { "aria-busy": null });
    });
    setAttributes(this.#svg, { "aria-busy": "true" });
  }

  #draw() {
    this.#frame = 0;
    const [model, layout] = [this.#model, this.#layout];
    if (!model || !layout) return;
    const view = this.#viewport.visible();
    const { scale } = this.#viewport;
    setAttributes(this.#scene, { transform: this.#viewport.transform() });
    const sight = inSight(layout, view, SPECK / scale);
    const places = sight.places.filter((place) => model.isVisible(layout.order[place]));
    const near = scale >= READABLE && places.length <= MOST_CARDS;
    this.#svg.classList.toggle("is-blurred", scale < CLEAR);
    if (near) this.#drawNear(model, layout, places);
    else this.#drawFar(model, layout, { places, specks: sight.specks });
    this.#far.style.display = near ? "none" : "";
    this.#labels.style.display = near ? "none" : "";
    if (this.#moving || this.#viewport.gliding()) this.#schedule();
  }

  /**
   * @param {TreeModel} model
   * @param {Layout} layout
   * @param {number[]} places
   */
  #drawNear(model, layout, places) {
    const progress = this.#progress();
    const wanted = new Set(places.map((place) => layout.order[place]));
    for (const [id, drawn] of this.#cards) {
      if (wanted.has(id)) continue;
      drawn.group.remove();
      drawn.edge.remove();
      drawn.strokes.remove();
      this.#cards.delete(id);
      this.#shown.delete(id);
    }
    for (const place of places) this.#shown.set(layout.order[place], this.#placed(model, layout, place, progress));
    for (const place of places) this.#drawCard(model, layout, place);
    const active = this.#cards.has(this.#selected) ? this.#name(this.#selected) : null;
    setAttributes(this.#svg, { "aria-activedescendant": active });
  }

  /** How far a move of the nodes has come, 0 to 1. */
  #progress() {
    if (!this.#moving) return 1;
    const time = Math.min(1, (performance.now() - this.#moving.start) / MOVE_TIME);
    if (time === 1) this.#moving = null;
    return 1 - (1 - time) ** 3;
  }

  /**
   * @param {TreeModel} model
   * @param {Layout} layout
   * @param {number} place
   * @param {number} progress
   * @returns {Point}
   */
  #placed(model, layout, place, progress) {
    const target = centre(layout, place);
    if (progress === 1 || !this.#moving) return target;
    const id = layout.order[place];
    const from = this.#moving.from.get(id) ?? this.#moving.from.get(model.parentOf(id) ?? -1) ?? target;
    return { x: from.x + (target.x - from.x) * progress, y: from.y + (target.y - from.y) * progress };
  }

  /**
   * @param {TreeModel} model
   * @param {Layout} layout
   * @param {number} place
   */
  #drawCard(model, layout, place) {
    const id = layout.order[place];
    let drawn = this.#cards.get(id);
    if (!drawn) {
      drawn = makeCard(id, this.#name(id), layout.measures, layout.orientation);
      this.#cards.set(id, drawn);
      this.#group.append(drawn.group);
      this.#edges.append(drawn.edge);
    }
    const at = this.#shown.get(id) ?? centre(layout, place);
    setAttributes(drawn.group, { transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})` });
    const open = model.childrenOf(id).length > 0 ? this.#isOpen(id) : null;
    paintCard(drawn, cardOf(model, id, this.#telling), {
      onPath: model.path.has(id), current: id === model.current, principal: model.isPrincipal(id), selected: id === this.#selected,
      open, folded: this.#folded(model, id, open), level: layout.levels[place],
    }, layout.measures.width);
    this.#drawEdge(model, layout, id, drawn);
  }

  /**
   * @param {TreeModel} model
   * @param {number} id
   * @param {boolean | null} open
   */
  #folded(model, id, open) {
    const hidden = open === false ? model.visibleBelow(id) : 0;
    if (hidden > 0) return `+${hidden.toLocaleString("en")}`;
    if (model.kind !== "search" || !model.isDone(id)) return "";
    const { cut, omitted, cause } = model.nodes[id];
    if (cause === "cut" && cut > 0 && !model.cutPart(id)) return `${cut} cut`;
    return omitted > 0 ? `+${omitted.toLocaleString("en")} unseen` : "";
  }

  /**
   * @param {TreeModel} model
   * @param {Layout} layout
   * @param {number} id
   * @param {Drawn} drawn
   */
  #drawEdge(model, layout, id, drawn) {
    const parent = model.parentOf(id);
    const to = this.#shown.get(id);
    if (parent === null || !to || id === layout.order[0]) return;
    const place = layout.places.get(parent);
    const from = this.#shown.get(parent) ?? (place === undefined ? undefined : centre(layout, place));
    if (!from) return;
    const ghost = model.kind === "search" && model.nodes[id].ghost === true;
    const isCut = ghost && model.kind === "search" && !model.nodes[parent].ghost;
    const classes = ["tree-edge", ghost && "ghost", model.path.has(id) && "on-path", model.isPrincipal(id) && "principal"];
    setAttributes(drawn.edge, {
      class: classes.filter(Boolean).join(" "),
      d: edgePath(layout, from, to),
    });
    if (isCut) {
      drawn.strokes.setAttribute("d", cutStrokes(layout, from, to));
      this.#edges.append(drawn.strokes);
    }
    if (model.kind === "growth") drawn.edge.style.strokeWidth = String(branchWidth(model, id));
  }

  /**
   * @param {TreeModel} model
   * @param {Layout} layout
   * @param {import("./tree-layout.js").Sight} sight
   */
  #drawFar(model, layout, sight) {
    this.#group.replaceChildren();
    this.#edges.replaceChildren();
    this.#cards.clear();
    this.#shown.clear();
    this.#moving = null;
    const isDense = this.#isDense(layout);
    this.#paintFar(farPaths(model, layout, sight, isDense));
    const texts = isDense ? farLabels(model, layout, sight, this.#viewport.frame()) : [];
    this.#labels.replaceChildren(...texts.map(({ x, y, text, isGhost }) => svg("text", { x, y, class: `far-label${isGhost ? " ghost" : ""}` }, text)));
  }

  /**
   * Whether leaves are so close that spans say more than boxes and branches.
   * @param {Layout} layout
   */
  #isDense(layout) {
    return layout.measures.across * this.#viewport.scale < DENSE;
  }

  /** @param {Map<string, string[]>} paths */
  #paintFar(paths) {
    const order = [...paths.keys()].sort((a, b) => farRank(a) - farRank(b));
    for (const name of order) {
      let path = this.#farPaths.get(name);
      if (!path) {
        path = svg("path", { class: name });
        this.#farPaths.set(name, path);
      }
      path.setAttribute("d", (paths.get(name) ?? []).join(""));
      this.#far.append(path);
    }
    for (const [name, path] of this.#farPaths) if (!paths.has(name)) path.remove();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.#viewport.dragged || !(event.target instanceof Element)) return;
    const card = event.target.closest("[data-node]");
    if (!card) return;
    const id = Number(card.getAttribute("data-node"));
    if (event.target.closest(".tree-fold") || event.detail === 2) this.#toggle(id);
    this.#choose(id);
  }

  /**
   * Boxes are not elements of their own, so the nearest one is looked for.
   * @param {Point} point
   */
  #clickFar(point) {
    const [model, layout] = [this.#model, this.#layout];
    if (!model || !layout || this.#far.style.display === "none") return;
    const sight = inSight(layout, this.#viewport.visible(), SPECK / this.#viewport.scale);
    const place = farPlaceAt(model, layout, sight, point, { isDense: this.#isDense(layout), near: 24 / this.#viewport.scale });
    if (place >= 0) this.#choose(layout.order[place]);
  }

  /** @param {number} id */
  #choose(id) {
    this.#selected = id;
    this.#schedule();
    this.dispatchEvent(new CustomEvent("node", { detail: { id }, bubbles: true }));
  }

  /** @param {number} id */
  #toggle(id) {
    if (!this.#model || this.#model.childrenOf(id).length === 0) return;
    this.#choices.set(id, !this.#isOpen(id));
    this.#changes += 1;
    this.#mustFit = false;
    this.#selected = id;
    this.#arrange();
    this.#schedule();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = this.#keyActions();
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @returns {Record<string, () => void>} */
  #keyActions() {
    const down = this.#layout?.orientation === "down";
    const [deeper, higher, next, previous] = down
      ? ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"]
      : ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];
    return {
      [deeper]: () => this.#walk("deeper"),
      [higher]: () => this.#walk("higher"),
      [next]: () => this.#walk("next"),
      [previous]: () => this.#walk("previous"),
      Enter: () => this.#selected >= 0 && this.#toggle(this.#selected),
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      0: () => this.fit(),
    };
  }

  /** @param {"deeper" | "higher" | "next" | "previous"} direction */
  #walk(direction) {
    const model = this.#model;
    if (!model) return;
    const here = this.#layout?.places.has(this.#selected) ? this.#selected : model.root;
    const id = this.#selected < 0 ? here : neighbour(model, here, direction);
    if (direction === "deeper" && id !== here && !this.#isOpen(here)) this.#toggle(here);
    this.#choose(id);
    this.#keepInView(id);
  }
}

function fitIcon() {
  return svg("svg", { viewBox: "0 0 24 24", width: 18, height: 18, fill: "none", stroke: "currentColor", "stroke-width": 1.8, "aria-hidden": "true" },
    svg("path", { d: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" }));
}

/**
 * @param {TreeModel} model
 * @param {number} id
 * @param {"deeper" | "higher" | "next" | "previous"} direction
 */
function neighbour(model, id, direction) {
  const visible = (/** @type {number} */ other) => model.isVisible(other);
  if (direction === "deeper") return model.childrenOf(id).find(visible) ?? id;
  const parent = model.parentOf(id);
  if (parent === null) return id;
  if (direction === "higher") return parent;
  const siblings = model.childrenOf(parent).filter(visible);
  return siblings[siblings.indexOf(id) + (direction === "next" ? 1 : -1)] ?? id;
}

/**
 * The two strokes of the textbooks, across the middle of an edge.
 * @param {Layout} layout
 * @param {Point} from
 * @param {Point} to
 */
function cutStrokes({ orientation, measures }, from, to) {
  const half = orientation === "down" ? measures.height / 2 : measures.width / 2;
  const start = orientation === "down" ? { x: from.x, y: from.y + half } : { x: from.x + half, y: from.y };
  const end = orientation === "down" ? { x: to.x, y: to.y - half } : { x: to.x - half, y: to.y };
  const [x, y] = [(start.x + end.x) / 2, (start.y + end.y) / 2];
  return [-3, 3].map((shift) => `M${x - 7} ${y + shift + 4}L${x + 7} ${y + shift - 4}`).join("");
}

/**
 * @param {import("./growth-model.js").GrowthModel} model
 * @param {number} id
 */
function branchWidth(model, id) {
  const share = model.figures(id).visits / Math.max(1, model.figures(0).visits);
  return Math.round((1 + 7 * Math.sqrt(share)) * 10) / 10;
}

customElements.define("ludus-search-tree", LudusSearchTree);
