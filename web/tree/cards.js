/** Cards: one node of a search tree each, with its figures. */

import { setAttributes, setText, svg } from "../lib/dom.js";
import { countWords, figuresFor, isAgain, nameOf, nodeName, plural, valueWords, windowWords } from "./words.js";

/** @typedef {import("./layout.js").TreeModel} TreeModel */
/** @typedef {import("./layout.js").Orientation} Orientation */
/** @typedef {import("./words.js").Display} Display */
/** @typedef {import("./search-model.js").SearchModel} SearchModel */
/** @typedef {import("./growth-model.js").GrowthModel} GrowthModel */

/** @typedef {"open" | "exact" | "bound" | "cut" | "table" | "leaf" | "guess" | "ghost" | "grown"} Tone */
/** @typedef {keyof typeof MARKS} Mark */

/**
 * @typedef {object} Card
 * @property {Tone} tone
 * @property {Mark | null} mark
 * @property {string} title
 * @property {string} value
 * @property {string} small below
 * @property {string} aside
 * @property {number | null} share of the bar at the bottom, 0 to 1
 * @property {boolean} rising whether the side to move at the root is to move here
 * @property {string} words for screen readers
 */

/** Stroke paths in a 12 × 12 box. */
export const MARKS = {
  cut: "M2.5 2a1.5 1.5 0 1 0 .1 0zM2.5 8a1.5 1.5 0 1 0 .1 0zM4 4.2L11 9.5M4 8.2L11 2.8",
  table: "M1.5 2h9v8h-9zM1.5 4.7h9M1.5 7.3h9M6 2v8",
  horizon: "M1 9.5h10M3.5 9.5a2.5 2.5 0 0 1 5 0",
  over: "M2.5 11V1.5h7l-1.5 2.5 1.5 2.5h-7",
  guess: "M1 6c1.7-4 3.3-4 5 0s3.3 4 5 0",
  again: "M10 6a4 4 0 1 1-1.3-3M10 1v2.4H7.6",
  proof: "M1.5 6.5l3 3L10.5 2.5",
};

export const TONES = /** @type {Tone[]} */ ([
  "open",
  "exact",
  "bound",
  "cut",
  "table",
  "leaf",
  "guess",
  "ghost",
  "grown",
]);

const MAX_TITLE_LENGTH = 12;

/**
 * @param {TreeModel} model
 * @param {number} id
 * @param {Display} display
 * @returns {Card}
 */
export function cardOf(model, id, display) {
  return model.kind === "search" ? searchCard(model, id, display) : growthCard(model, id);
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Display} display
 * @returns {Card}
 */
function searchCard(model, id, display) {
  const node = model.nodes[id];
  const figures = figuresFor(model, id, display);
  const done = model.isDone(id);
  const tone = toneOf(model, id);
  const best = done ? null : model.bestSoFar(id);
  const own = display.viewpoint === "mover" || node.ply % 2 === 0 ? 1 : -1;
  const now = best === null ? "…" : `${valueWords({ ...figures, value: own * best.value + 0, bound: null }, display)}…`;
  const value = done ? valueWords(figures, display) : now;
  const window = node.ghost ? "not visited" : windowWords(figures, display);
  const title = shortened(nameOf(model, id));
  const visits = node.nodes > 1 && done ? countWords(node.nodes) : "";
  return {
    tone,
    title,
    value,
    small: window,
    aside: visits,
    share: null,
    rising: node.ply % 2 === 0,
    mark: markOf(model, id),
    words: `${title}, value ${value}, ${node.ghost ? window : `window ${window}`}${visits ? `, ${plural(node.nodes, "visit")}` : ""}${toneWords(tone, node.cut)}`,
  };
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @returns {Tone}
 */
export function toneOf(model, id) {
  const node = model.nodes[id];
  if (node.ghost) return "ghost";
  if (!model.isDone(id)) return "open";
  switch (node.cause) {
    case "cut":
      return "cut";
    case "table":
      return "table";
    case "futility":
    case "null move":
      return "guess";
    case "horizon":
    case "game over":
    case "path":
    case "known ending":
      return "leaf";
    default:
      return node.bound === "exact" ? "exact" : "bound";
  }
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @returns {Mark | null}
 */
function markOf(model, id) {
  const { cause, ghost } = model.nodes[id];
  if (ghost) return null;
  if (!model.isDone(id)) return isAgain(model, id) ? "again" : null;
  switch (cause) {
    case "cut":
      return "cut";
    case "table":
      return "table";
    case "game over":
    case "path":
    case "known ending":
      return "over";
    case "futility":
    case "null move":
      return "guess";
    case "horizon":
      return isAgain(model, id) ? "again" : "horizon";
    default:
      return isAgain(model, id) ? "again" : null;
  }
}

/**
 * @param {Tone} tone
 * @param {number} cut
 */
function toneWords(tone, cut) {
  if (tone === "cut") return `, cut off: ${plural(cut, "move")} left out`;
  if (tone === "table") return ", answered by the table";
  if (tone === "open") return ", being searched";
  return "";
}

/**
 * @param {GrowthModel} model
 * @param {number} id
 * @returns {Card}
 */
function growthCard(model, id) {
  const node = model.nodes[id];
  const { visits, points, mean, uct } = model.figures(id);
  const title = shortened(nodeName(node));
  if (model.raw) return rawCard(model, id, title);
  const isRoot = node.parent === null;
  const share = isRoot ? 1 - mean : mean;
  const won = isRoot ? visits - points : points;
  const value = visits > 0 ? `Q ${share.toFixed(2)}` : "Q –";
  const small = `W ${rounded(won)}${uct === null ? "" : ` · U ${uct.toFixed(2)}`}`;
  return {
    tone: "grown",
    title,
    value,
    small,
    aside: `N ${countWords(visits)}`,
    share: visits > 0 ? share : null,
    rising: model.plies[id] % 2 === 0,
    mark: node.proof && model.ended ? "proof" : null,
    words: `${title}, ${plural(visits, "visit")}, ${rounded(won)} won, mean ${share.toFixed(2)}${uct === null ? "" : `, UCT ${uct.toFixed(2)}`}${node.proof && model.ended ? `, proven ${node.proof}` : ""}`,
  };
}

/**
 * The card of a node with raw values of the first side.
 * @param {GrowthModel} model
 * @param {number} id
 * @param {string} title
 * @returns {Card}
 */
function rawCard(model, id, title) {
  const { visits, points, mean, uct } = model.figures(id);
  return {
    tone: "grown",
    title,
    value: visits > 0 ? `t/n ${mean.toFixed(Math.abs(mean) < 9.995 ? 2 : 1)}` : "t/n –",
    small: `t ${rounded(points)}${uct === null ? "" : ` · U ${uct.toFixed(2)}`}`,
    aside: `n ${countWords(visits)}`,
    share: visits > 0 ? model.share(id) : null,
    rising: model.plies[id] % 2 === 0,
    mark: null,
    words: `${title}, ${plural(visits, "visit")}, total ${rounded(points)}, mean ${mean.toFixed(2)}${uct === null ? "" : `, UCB1 ${uct.toFixed(2)}`}`,
  };
}

/** @param {number} number */
function rounded(number) {
  return number >= 100 ? number.toFixed(0) : String(Math.round(number * 10) / 10);
}

/** @param {string} text */
function shortened(text) {
  return text.length > MAX_TITLE_LENGTH ? `${text.slice(0, MAX_TITLE_LENGTH - 1)}…` : text;
}

/**
 * @typedef {object} CardElements
 * @property {SVGGElement} group
 * @property {SVGRectElement} strip
 * @property {SVGPathElement} mark
 * @property {SVGTextElement} title
 * @property {SVGTextElement} value
 * @property {SVGTextElement} small
 * @property {SVGTextElement} aside
 * @property {SVGPathElement} side
 * @property {SVGRectElement} bar
 * @property {SVGGElement} fold
 * @property {SVGTextElement} foldText
 * @property {SVGPathElement} edge
 * @property {SVGPathElement} strokes the cut mark across the edge
 * @property {string} last key of what is drawn, to skip repeated drawing
 */

/**
 * @param {number} id
 * @param {string} name unique in the document
 * @param {{ width: number, height: number }} measures
 * @param {Orientation} orientation
 * @returns {CardElements}
 */
export function makeCard(id, name, { width, height }, orientation) {
  const [left, top] = [-width / 2, -height / 2];
  const places = orientation === "down" ? PLACES_DOWN : PLACES_RIGHT;
  const text = (/** @type {keyof typeof PLACES_DOWN} */ name) =>
    svg("text", { class: `tree-${name}`, ...places[name] });
  const strip = svg("rect", { class: "tree-strip", x: left, y: top, width: 5, height, rx: 2.5 });
  const bar = svg("rect", { class: "tree-bar", x: left + 8, y: height / 2 - 5, height: 3, rx: 1.5, width: 0 });
  const side = svg("path", { class: "tree-side", transform: `translate(${left + 15} ${top + 15})` });
  const mark = svg("path", { class: "tree-mark", transform: `translate(${places.mark.x} ${places.mark.y})` });
  const foldText = svg("text", { class: "tree-fold-text", "text-anchor": "middle", dy: "0.35em" });
  const foldAt = orientation === "down" ? `translate(0 ${height / 2 + 9})` : `translate(${width / 2 + 4} 0)`;
  const fold = svg(
    "g",
    { class: `tree-fold ${orientation}`, transform: foldAt, "aria-hidden": "true" },
    svg("rect", { rx: 9, height: 18, y: -9 }),
    foldText,
  );
  const [title, value, small, aside] = [text("title"), text("value"), text("small"), text("aside")];
  const group = svg(
    "g",
    { class: "tree-card", role: "treeitem", id: name, dataset: { node: String(id) } },
    svg("rect", { class: "tree-box", x: left, y: top, width, height, rx: 8 }),
    strip,
    side,
    bar,
    title,
    value,
    small,
    aside,
    mark,
    fold,
  );
  return {
    group,
    strip,
    mark,
    title,
    value,
    small,
    aside,
    side,
    bar,
    fold,
    foldText,
    edge: svg("path", { class: "tree-edge" }),
    strokes: svg("path", { class: "tree-strokes" }),
    last: "",
  };
}

const PLACES_DOWN = {
  title: { x: -30, y: -12 },
  value: { x: -40, y: 7 },
  small: { x: -40, y: 21 },
  aside: { x: 46, y: 7, "text-anchor": "end" },
  mark: { x: 34, y: -24 },
};
const PLACES_RIGHT = {
  title: { x: -66, y: -2 },
  value: { x: 62, y: -2, "text-anchor": "end" },
  small: { x: -76, y: 12.5 },
  aside: { x: 80, y: 12.5, "text-anchor": "end" },
  mark: { x: 68, y: -14 },
};
const UP = "M-4 3L0 -4L4 3z";
const DOWN = "M-4 -3L0 4L4 -3z";

/**
 * @typedef {object} CardState state of a card in the tree
 * @property {boolean} onPath
 * @property {boolean} current
 * @property {boolean} principal
 * @property {boolean} selected
 * @property {boolean | null} open whether its children are shown; null without children
 * @property {string} folded the number of hidden nodes below
 * @property {number} level
 */

/**
 * @param {CardElements} drawn
 * @param {Card} card
 * @param {CardState} state
 * @param {number} width
 */
export function paintCard(drawn, card, state, width) {
  const key = JSON.stringify([card, state]);
  if (drawn.last === key) return;
  drawn.last = key;
  const flags = [
    state.onPath && "on-path",
    state.current && "current",
    state.principal && "principal",
    state.selected && "selected",
  ];
  setAttributes(drawn.group, {
    class: ["tree-card", `tone-${card.tone}`, ...flags].filter(Boolean).join(" "),
    "aria-label": card.words,
    "aria-level": state.level + 1,
    "aria-selected": String(state.selected),
    "aria-expanded": state.open === null ? null : String(state.open),
  });
  setText(drawn.title, card.title);
  setText(drawn.value, card.value);
  setText(drawn.small, card.small);
  setText(drawn.aside, card.aside);
  setAttributes(drawn.side, { d: card.rising ? UP : DOWN });
  setAttributes(drawn.mark, { d: card.mark ? MARKS[card.mark] : "" });
  setAttributes(drawn.bar, { width: card.share === null ? 0 : Math.max(0, card.share * (width - 16)) });
  drawn.group.style.setProperty("--share", String(card.share ?? 0.5));
  paintFold(drawn, state.folded);
}

/**
 * @param {CardElements} drawn
 * @param {string} text
 */
function paintFold(drawn, text) {
  drawn.fold.style.display = text ? "" : "none";
  if (!text) return;
  setText(drawn.foldText, text);
  const width = Math.max(22, text.length * 6.4 + 12);
  const box = drawn.fold.firstElementChild;
  box?.setAttribute("width", String(width));
  const isBeside = drawn.fold.classList.contains("right");
  box?.setAttribute("x", String(isBeside ? 0 : -width / 2));
  drawn.foldText.setAttribute("x", String(isBeside ? width / 2 : 0));
}
