/** <ludus-search-tree>: a search tree that can be expanded, panned and zoomed. Only its visible part is drawn. */

import { el, on, setAttributes, svg } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { cardOf, makeCard, paintCard } from "./cards.js";
import { cutStrokes, edgePath, edgeWidth } from "./edges.js";
import { bounds, centre, layOut, neighbour, visiblePart } from "./layout.js";
import { farLabels, farPaths, farPlaceAt, farRank } from "./overview.js";
import { Viewport } from "./viewport.js";

/** @typedef {import("./layout.js").TreeModel} TreeModel */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Orientation} Orientation */
/** @typedef {import("./words.js").Display} Display */
/** @typedef {import("./cards.js").CardElements} CardElements */
/** @typedef {{ x: number, y: number }} Point */

/** Below this scale cards become plain boxes. */
const CARD_SCALE = 0.42;
/** Below this scale cards show only their main figures. */
const FULL_CARD_SCALE = 0.5;
/** Initial scale if the whole tree would be too small. */
const INITIAL_SCALE = 0.72;
/** Largest number of visible nodes drawn as cards; more are drawn as boxes. */
const MAX_CARDS = 420;
/** Subtrees narrower than this many pixels become one speck. */
const MIN_SUBTREE_PX = 5;
/** Leaves closer than this many pixels are drawn as spans. */
const MIN_LEAF_DISTANCE_PX = 9;
const LAYOUT_TIME_MS = 220;
/** Trees with up to this many leaves are drawn from the top down. */
const MAX_LEAVES_TOP_DOWN = 14;

let trees = 0;

export class LudusSearchTree extends HTMLElement {
  #number = trees++;
  /** @type {TreeModel | null} */
  #model = null;
  /** @type {Display} */
  #display = { viewpoint: "mover", plain: false, names: ["Max", "Min"] };
  /** @type {Orientation | null} */
  #orientation = null;
  /** @type {Layout | null} */
  #layout = null;
  /** @type {Map<number, boolean>} what expanded or collapsed by the user */
  #choices = new Map();
  /** @type {Map<number, CardElements>} */
  #cards = new Map();
  /** @type {Map<number, Point>} where nodes currently drawn */
  #shown = new Map();
  /** @type {{ from: Map<number, Point>, start: number } | null} */
  #moving = null;
  #selected = -1;
  #frame = 0;
  #layoutKey = "";
  #mustFit = true;
  /** Whether every node is expanded. */
  #isUnfolded = false;
  /** Number of changes to `#open`. */
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
  #viewport = new Viewport(
    this.#svg,
    () => this.#schedule(),
    (point) => this.#clickFar(point),
  );
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
    this.#cleanUp = [
      () => watch.disconnect(),
      this.#viewport.listen(),
      on(this.#svg, "click", (/** @type {MouseEvent} */ event) => this.#click(event)),
      on(this.#svg, "dblclick", (/** @type {MouseEvent} */ event) => event.preventDefault()),
      on(this.#svg, "keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event)),
    ];
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
    this.append(
      this.#svg,
      el(
        "div",
        { class: "tree-tools" },
        tool("Zoom in", icon("plus", 18), () => this.zoom(1.4)),
        tool("Zoom out", "−", () => this.zoom(1 / 1.4)),
        tool("Fit the tree (0)", fitIcon(), () => this.fit()),
        tool("Rotate the tree", icon("flip", 18), () => this.turn()),
      ),
    );
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

  /** @param {Display} display */
  set display(display) {
    this.#display = display;
    this.refresh();
  }

  get selected() {
    return this.#selected;
  }

  set selected(id) {
    this.#selected = id;
    this.#schedule();
  }

  /** Redraws after a step of the model. */
  refresh() {
    if (!this.#model) return;
    const before = this.#layout;
    this.#arrange();
    if (this.#mustFit) this.#fitNow();
    else if (before) this.#keepInView(this.#model.current);
    this.#schedule();
  }

  /** Redraws after nodes were added to the model. */
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

  /** Orientation: from the top down, or from left to right. */
  turn() {
    this.#orientation = this.#layout?.orientation === "down" ? "right" : "down";
    this.#clear();
    this.#arrange();
    this.#fitNow(true);
    this.#schedule();
  }

  /**
   * Expands the ancestors of a node and scrolls to it.
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

  /** @param {boolean} open true for every node, false for the default */
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

  /** Updates the layout if nodes were expanded or collapsed, keeping the current node at its place on the screen. */
  #arrange() {
    const model = this.#model;
    if (!model) return;
    const reserve = model.isSmall || this.#isUnfolded;
    // With reserved space the layout changes only when a node is expanded or collapsed.
    const stable = `${this.#orientation} ${model.root} ${this.#changes}`;
    if (reserve && stable === this.#layoutKey) return;
    const layout = this.#laidOut(model, reserve);
    const key = reserve ? `${layout.orientation} ${model.root} ${this.#changes}` : layout.order.join();
    if (key === this.#layoutKey) return;
    const old = this.#layout;
    this.#layoutKey = key;
    this.#layout = layout;
    if (!old || old.order[0] !== layout.order[0]) return;
    const anchor = [this.#selected, model.current, model.root].find(
      (id) => old.places.has(id) && layout.places.has(id),
    );
    if (anchor === undefined) return;
    const was = centre(old, old.places.get(anchor) ?? 0);
    const is = centre(layout, layout.places.get(anchor) ?? 0);
    const [dx, dy] = [is.x - was.x, is.y - was.y];
    this.#viewport.shift(dx, dy);
    const from = new Map();
    for (const [id, point] of this.#shown) from.set(id, { x: point.x + dx, y: point.y + dy });
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#moving = calm || from.size > MAX_CARDS ? null : { from, start: performance.now() };
  }

  /**
   * @param {TreeModel} model
   * @param {boolean} reserve
   */
  #laidOut(model, reserve) {
    const isOpen = (/** @type {number} */ id) => this.#isOpen(id);
    if (this.#orientation) return layOut(model, isOpen, this.#orientation, reserve);
    const down = layOut(model, isOpen, "down", reserve);
    this.#orientation = down.extent / down.measures.across < MAX_LEAVES_TOP_DOWN ? "down" : "right";
    return this.#orientation === "down" ? down : layOut(model, isOpen, "right", reserve);
  }

  /** Fits the whole tree, or at first a readable part around the root. */
  #fitNow(readable = this.#mustFit) {
    const layout = this.#layout;
    if (!layout) return;
    const smallest = readable && this.#viewport.scaleToFit(bounds(layout)) < FULL_CARD_SCALE ? INITIAL_SCALE : 0;
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
    const visible = visiblePart(layout, view, MIN_SUBTREE_PX / scale);
    const places = visible.places.filter((place) => model.isVisible(layout.order[place]));
    const near = scale >= CARD_SCALE && places.length <= MAX_CARDS;
    this.#svg.classList.toggle("is-blurred", scale < FULL_CARD_SCALE);
    if (near) this.#drawNear(model, layout, places);
    else this.#drawFar(model, layout, { places, specks: visible.specks });
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

  /** Progress of the animated layout change, 0 to 1. */
  #progress() {
    if (!this.#moving) return 1;
    const time = Math.min(1, (performance.now() - this.#moving.start) / LAYOUT_TIME_MS);
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
    paintCard(
      drawn,
      cardOf(model, id, this.#display),
      {
        onPath: model.path.has(id),
        current: id === model.current,
        principal: model.isPrincipal(id),
        selected: id === this.#selected,
        open,
        folded: this.#folded(model, id, open),
        level: layout.levels[place],
      },
      layout.measures.width,
    );
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
   * @param {CardElements} drawn
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
    const classes = [
      "tree-edge",
      ghost && "ghost",
      model.path.has(id) && "on-path",
      model.isPrincipal(id) && "principal",
    ];
    setAttributes(drawn.edge, {
      class: classes.filter(Boolean).join(" "),
      d: edgePath(layout, from, to),
    });
    if (isCut) {
      drawn.strokes.setAttribute("d", cutStrokes(layout, from, to));
      this.#edges.append(drawn.strokes);
    }
    if (model.kind === "growth") drawn.edge.style.strokeWidth = String(edgeWidth(model, id));
  }

  /**
   * @param {TreeModel} model
   * @param {Layout} layout
   * @param {import("./layout.js").VisiblePart} visible
   */
  #drawFar(model, layout, visible) {
    this.#group.replaceChildren();
    this.#edges.replaceChildren();
    this.#cards.clear();
    this.#shown.clear();
    this.#moving = null;
    const isDense = this.#isDense(layout);
    this.#paintFar(farPaths(model, layout, visible, isDense));
    const texts = isDense ? farLabels(model, layout, visible, this.#viewport.frame()) : [];
    this.#labels.replaceChildren(
      ...texts.map(({ x, y, text, isGhost }) =>
        svg("text", { x, y, class: `far-label${isGhost ? " ghost" : ""}` }, text),
      ),
    );
  }

  /**
   * Whether leaves are so dense that spans are drawn instead of boxes and edges.
   * @param {Layout} layout
   */
  #isDense(layout) {
    return layout.measures.across * this.#viewport.scale < MIN_LEAF_DISTANCE_PX;
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
   * Boxes are not elements of their own: finds the nearest one.
   * @param {Point} point
   */
  #clickFar(point) {
    const [model, layout] = [this.#model, this.#layout];
    if (!model || !layout || this.#far.style.display === "none") return;
    const visible = visiblePart(layout, this.#viewport.visible(), MIN_SUBTREE_PX / this.#viewport.scale);
    const place = farPlaceAt(model, layout, visible, point, {
      isDense: this.#isDense(layout),
      near: 24 / this.#viewport.scale,
    });
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
  return svg(
    "svg",
    {
      viewBox: "0 0 24 24",
      width: 18,
      height: 18,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.8,
      "aria-hidden": "true",
    },
    svg("path", { d: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" }),
  );
}

customElements.define("ludus-search-tree", LudusSearchTree);
