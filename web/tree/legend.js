/** Legend of the colours and marks of a search tree. */

import { el, svg } from "../lib/dom.js";
import { MARKS } from "./cards.js";

/** @typedef {[tone: string, mark: keyof typeof MARKS | null, words: string]} Entry */

/** @type {Entry[]} */
const SEARCH = [
  ["open", null, "being searched"],
  ["exact", null, "exact value"],
  ["bound", null, "only a bound"],
  ["cut", "cut", "cut off: one move was enough"],
  ["ghost", null, "pruned, never visited"],
  ["table", "table", "answered by the table"],
  ["leaf", "horizon", "depth used up"],
  ["leaf", "over", "game over"],
  ["guess", "guess", "pruned by its evaluation"],
  ["bound", "again", "searched again"],
];

/** @type {Entry[]} */
const GROWTH = [
  ["grown high", null, "Q near 1: good for who moved"],
  ["grown low", null, "Q near 0: bad for who moved"],
  ["grown", "proof", "proven"],
];

/** @type {Entry[]} */
const RAW = [
  ["grown high", null, "good for the first side"],
  ["grown low", null, "good for the second side"],
];

const ENTRIES = { search: SEARCH, growth: GROWTH, raw: RAW };

/**
 * @param {keyof typeof ENTRIES} kind
 * @param {boolean} open
 */
export function legend(kind, open) {
  const entries = ENTRIES[kind];
  const growth =
    kind === "raw"
      ? "n visits, t the total of the values for the first side, U the UCB1. Thicker branches have more visits."
      : "N visits, W won, Q = W / N, U the UCT. Thicker branches have more visits.";
  const notes =
    kind === "search"
      ? "Triangle up: the side at the root is to move; down: the other side. The thick line is the principal variation. “win 5” ends the game five plies below the root."
      : growth;
  return el(
    "details",
    { class: "disclosure legend", open },
    el("summary", {}, "Legend"),
    el("ul", {}, ...entries.map(([tone, mark, words]) => el("li", {}, swatch(tone, mark), words))),
    el(
      "p",
      { class: "hint" },
      `${notes} Drag to pan, wheel or pinch to zoom, double-click to collapse. Arrow keys move through the tree, comma and full stop step, space plays.`,
    ),
  );
}

/**
 * @param {string} tone
 * @param {keyof typeof MARKS | null} mark
 */
function swatch(tone, mark) {
  return svg(
    "svg",
    {
      width: 30,
      height: 20,
      viewBox: "0 0 30 20",
      "aria-hidden": "true",
      class: `legend-swatch tree-card ${tone
        .split(" ")
        .map((part) => `tone-${part}`)
        .join(" ")}`,
    },
    svg("rect", { class: "tree-box", x: 1, y: 1, width: 28, height: 18, rx: 5 }),
    svg("rect", { class: "tree-strip", x: 1, y: 1, width: 5, height: 18, rx: 2.5 }),
    mark ? svg("path", { class: "tree-mark", d: MARKS[mark], transform: "translate(12 4)" }) : null,
  );
}
