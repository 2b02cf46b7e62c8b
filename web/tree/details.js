/** Details panel of a search tree: one node in words, with its figures and its children. */

import { el, replace } from "../lib/dom.js";
import {
  causeWords,
  countWords,
  figuresFor,
  leftOutWords,
  moverAt,
  nameOf,
  nodeName,
  plural,
  scoreWords,
  valueWords,
  windowWords,
} from "./words.js";

/** @typedef {import("./layout.js").TreeModel} TreeModel */
/** @typedef {import("./words.js").Display} Display */
/** @typedef {import("./search-model.js").SearchModel} SearchModel */
/** @typedef {import("./growth-model.js").GrowthModel} GrowthModel */

/**
 * @param {HTMLElement} place
 * @param {TreeModel} model
 * @param {number} id
 * @param {Display} display
 * @param {{ choose: (id: number) => void, measure: ((id: number) => void) | null }} acts `measure` counts the nodes cut at a node
 */
export function showDetails(place, model, id, display, { choose, measure }) {
  if (model.kind === "growth") return replace(place, ...growthDetails(model, id, display, choose));
  const canMeasure = measure && model.isDone(id) && model.canBeMeasured(id) && model.movesTo(id) !== null;
  replace(
    place,
    ...searchDetails(model, id, display, choose),
    canMeasure
      ? el(
          "button",
          {
            type: "button",
            class: "button",
            onclick: (/** @type {Event} */ event) => {
              if (event.currentTarget instanceof HTMLButtonElement) event.currentTarget.disabled = true;
              measure(id);
            },
          },
          "Count the nodes cut here",
        )
      : null,
  );
}

/**
 * @param {[string, string][]} rows
 */
function facts(rows) {
  return el(
    "dl",
    { class: "facts" },
    ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", { class: "number" }, value)]),
  );
}

/**
 * @param {TreeModel} model
 * @param {number} id
 * @param {(id: number) => void} choose
 */
function trail(model, id, choose) {
  const name = (/** @type {number} */ at) =>
    model.kind === "search" ? lastName(nameOf(model, at)) : lastName(nodeName(model.nodes[at]));
  return el(
    "nav",
    { class: "trail", "aria-label": "Moves to this node" },
    ...model.lineTo(id).map((at) =>
      el(
        "button",
        {
          type: "button",
          class: "trail-step",
          "aria-current": at === id ? "true" : null,
          onclick: () => choose(at),
        },
        name(at),
      ),
    ),
  );
}

/** @param {string} name a move, or the path of a node in a typed tree */
function lastName(name) {
  return /^[a-z]+(\.[a-z]+)+$/.test(name) ? name.slice(name.lastIndexOf(".") + 1) : name;
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Display} display
 * @param {(id: number) => void} choose
 */
function searchDetails(model, id, display, choose) {
  const node = model.nodes[id];
  const figures = figuresFor(model, id, display);
  const done = model.isDone(id);
  /** @type {[string, string][]} */
  const rows = [["To move", moverAt(model, id, display)]];
  if (!node.ghost) rows.push([done ? "Window" : "Window now", windowWords(figures, display)]);
  rows.push(["Value", done ? valueWords(figures, display) : "not known yet"]);
  if (done && node.bound && !node.ghost) rows.push(["The value is", boundName(figures.bound)]);
  rows.push(["Depth left", String(node.depth)]);
  if (done) rows.push([node.ghost ? "Visits of minimax" : "Visits below", countWords(node.nodes)]);
  const part = leftOutWords(model, id);
  const words = done ? causeWords(model, id, display) : progressWords(model, id, display);
  const skipped =
    done && node.skipped.length > 0
      ? `${plural(node.skipped.length, "move")} pruned as unlikely to matter: ${node.skipped.join(", ")}.`
      : "";
  return [
    trail(model, id, choose),
    el("p", { class: "details-words" }, words),
    part && done ? el("p", { class: "details-cut" }, part) : null,
    skipped ? el("p", { class: "muted" }, skipped) : null,
    node.omitted > 0
      ? el(
          "p",
          { class: "muted" },
          `${plural(node.omitted, "child", "children")} visited but not recorded: record more nodes to see them.`,
        )
      : null,
    facts(rows),
  ];
}

/** @param {"exact" | "lower" | "upper" | null} bound */
function boundName(bound) {
  if (bound === "lower") return "a lower bound";
  return bound === "upper" ? "an upper bound" : "exact";
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Display} display
 */
function progressWords(model, id, display) {
  const children = model.childrenOf(id).filter((child) => model.isDone(child) && !model.nodes[child].ghost);
  const best = model.bestSoFar(id);
  if (!best) return `${moverAt(model, id, display)} is to move here; no move has come back yet.`;
  const sign = display.viewpoint === "mover" || model.nodes[id].ply % 2 === 0 ? 1 : -1;
  return `${plural(children.length, "move")} searched so far; the best is ${nameOf(model, best.child)} with ${scoreWords(sign * best.value, display.plain)}.`;
}

/**
 * @param {GrowthModel} model
 * @param {number} id
 * @param {Display} display
 * @param {(id: number) => void} choose
 */
function growthDetails(model, id, display, choose) {
  const node = model.nodes[id];
  const figures = model.figures(id);
  const mover = display.names[(model.plies[id] + 1) % 2];
  const untried = model.untried(id);
  const children = model.childrenOf(id).filter((child) => model.isVisible(child));
  const isRoot = node.parent === null;
  return [
    trail(model, id, choose),
    isRoot
      ? el(
          "p",
          { class: "details-words" },
          `${plural(figures.visits, "simulation")} so far. Each goes down to the child with the largest ${model.raw ? "UCB1; values are the first side’s" : "UCT"}.`,
        )
      : el("p", { class: "details-words" }, `${mover} played this. ${uctWords(model, id)}`),
    node.proof && model.ended
      ? el("p", { class: "details-cut" }, `Proven: a ${node.proof} for the side that made the move.`)
      : null,
    children.length > 0 ? childTable(model, children, choose) : null,
    untried > 0 ? el("p", { class: "muted" }, `${plural(untried, "move")} not tried yet.`) : null,
    model.ended && model.hasPriors
      ? el(
          "p",
          { class: "muted" },
          "N and W include prior knowledge of the moves; earlier steps count only the simulations.",
        )
      : null,
    children.length === 0 && untried === 0 ? el("p", { class: "muted" }, "No children in the tree.") : null,
  ];
}

/**
 * @param {GrowthModel} model
 * @param {number} id
 */
function uctWords(model, id) {
  const { visits, points, mean, uct, exploration } = model.figures(id);
  if (model.raw) return rawWords(model, id);
  const isPlain = visits > 0 && Math.abs(points / visits - mean) < 0.002;
  const base = isPlain
    ? `Q = W / N = ${trimmed(points)} / ${countWords(visits)} = ${mean.toFixed(3)}.`
    : `W = ${trimmed(points)} of N = ${countWords(visits)}, Q = ${mean.toFixed(3)}.`;
  if (uct === null || exploration === null) return base;
  if (model.constant === null) return `${base} The next descent compares ${uct.toFixed(3)}.`;
  const above = model.figures(model.parentOf(id) ?? 0).visits;
  return `${base} UCT = Q + ${model.constant.toFixed(2)}·√(ln ${countWords(above)} / ${countWords(visits)}) = ${mean.toFixed(3)} + ${exploration.toFixed(3)} = ${uct.toFixed(3)}.`;
}

/**
 * UCB1 on raw values, worked out.
 * @param {GrowthModel} model
 * @param {number} id
 */
function rawWords(model, id) {
  const { visits, points, mean, uct, exploration } = model.figures(id);
  if (visits === 0) return "Not visited yet: its UCB1 is infinite.";
  const base = `t / n = ${trimmed(points)} / ${countWords(visits)} = ${mean.toFixed(2)}.`;
  if (uct === null || exploration === null) return base;
  const above = model.figures(model.parentOf(id) ?? 0).visits;
  const shown = (uct - exploration).toFixed(2);
  const term = Math.sign(uct - exploration) * Math.sign(mean) < 0 ? "−t/n" : "t/n";
  return `${base} UCB1 = ${term} + ${(model.constant ?? 0).toFixed(2)}·√(ln ${countWords(above)} / ${countWords(visits)}) = ${shown} + ${exploration.toFixed(2)} = ${uct.toFixed(2)}.`;
}

/** @param {number} number */
function trimmed(number) {
  return String(Math.round(number * 100) / 100);
}

/**
 * @param {GrowthModel} model
 * @param {number[]} children
 * @param {(id: number) => void} choose
 */
function childTable(model, children, choose) {
  const next = largest(children, (child) => model.figures(child).uct ?? -Infinity);
  const digits = model.raw ? 2 : 3;
  const heads = model.raw ? ["Move", "n", "t", "t/n", "UCB1"] : ["Move", "N", "W", "Q", "UCT"];
  const rows = children.map((child) => {
    const { visits, points, mean, uct } = model.figures(child);
    const name = lastName(nodeName(model.nodes[child]));
    return el(
      "tr",
      { class: child === next ? "next" : null },
      el(
        "th",
        { scope: "row" },
        el("button", { type: "button", class: "trail-step", onclick: () => choose(child) }, name),
      ),
      ...[countWords(visits), trimmed(points), mean.toFixed(digits), uct === null ? "–" : uct.toFixed(digits)].map(
        (text) => el("td", { class: "number" }, text),
      ),
    );
  });
  return el(
    "div",
    { class: "scroll child-table" },
    el(
      "table",
      { class: "table" },
      el("caption", { class: "hint" }, `Children. The largest ${heads[4]} is next.`),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ...heads.map((head, index) => el("th", { scope: "col", class: index > 0 ? "number" : null }, head)),
        ),
      ),
      el("tbody", {}, ...rows),
    ),
  );
}

/**
 * @param {number[]} ids
 * @param {(id: number) => number} measure
 */
function largest(ids, measure) {
  return ids.reduce((best, id) => (measure(id) > measure(best) ? id : best), ids[0]);
}
