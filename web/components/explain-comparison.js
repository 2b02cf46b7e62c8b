// Searches of one position side by side, in numbers.

import { el } from "../lib/dom.js";
import { countWords, scoreWords } from "./tree-words.js";

/** @typedef {import("./explain-run.js").Subject} Subject */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} visits
 * @property {Ludus.Analysis} analysis
 * @property {boolean} reference
 * @property {boolean} grows
 */

/**
 * @param {Subject[]} subjects
 * @param {Ludus.Explanation | null} reference minimax, which leaves out nothing
 * @param {(() => void) | null} ask for minimax
 * @param {string} [note]
 */
export function comparison(subjects, reference, ask, note = "") {
  const plain = subjects.every(({ place }) => place === null);
  /** @type {Row[]} */
  const rows = subjects.map(({ title, explanation: { analysis, trace } }) => ({ name: title, visits: trace.visits, analysis, reference: false, grows: "simulations" in trace }));
  if (reference) rows.push({ name: "Minimax", visits: reference.trace.visits, analysis: reference.analysis, reference: true, grows: false });
  if (rows.length === 1 && rows[0].grows) return null;
  const most = Math.max(...rows.map(({ visits }) => visits));
  return el("section", { class: "card comparison", "aria-label": "Comparison" },
    el("p", { class: "comparison-words" }, words(rows)),
    el("table", { class: "comparison-table" },
      el("thead", { class: "visually-hidden" }, el("tr", {}, ...["Algorithm", "Share", "Visits", "Value", "Move", "Time"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, ...rows.map((row) => tableRow(row, most, plain)))),
    note ? el("p", { class: "hint" }, note) : null,
    ask ? el("button", { type: "button", class: "button", onclick: (/** @type {Event} */ event) => {
      if (event.currentTarget instanceof HTMLButtonElement) event.currentTarget.disabled = true;
      ask();
    } }, "Count what minimax would visit (may take long)") : null);
}

/**
 * @param {Row} row
 * @param {number} most
 * @param {boolean} plain
 */
function tableRow({ name, visits, analysis, reference, grows }, most, plain) {
  return el("tr", { class: reference ? "is-reference" : null },
    el("th", { scope: "row" }, name),
    el("td", { class: "comparison-share" }, el("span", { class: "comparison-bar", style: { width: `${Math.max(0.5, (100 * visits) / most)}%` } })),
    el("td", { class: "number" }, `${countWords(visits)} ${grows ? "simulations" : "nodes"}`),
    el("td", { class: "number" }, valueOf(analysis, plain)),
    el("td", {}, moveOf(analysis)),
    el("td", { class: "number muted" }, plain ? "" : timeWords(analysis.seconds)));
}

/**
 * The move a search would make, as people read it. Records of Go name points by two letters, which nobody reads.
 * @param {Ludus.Analysis} analysis
 */
export function moveOf(analysis) {
  const isGo = analysis.game.split(":")[0] === "go";
  return (isGo ? null : analysis.pv_labels?.[0]) ?? analysis.best ?? "";
}

/**
 * @param {Ludus.Analysis} analysis
 * @param {boolean} plain
 */
export function valueOf({ score, score_words }, plain) {
  if (score === null) return "";
  return plain ? scoreWords(score, true) : (score_words || scoreWords(score, false)).replace(/^-/, "−");
}

/** @param {number} seconds */
function timeWords(seconds) {
  return seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(1)} s`;
}

/** @param {Row[]} rows */
function words(rows) {
  const whole = rows.find(({ name, grows }) => !grows && /^(minimax|negamax)$/i.test(name));
  const searches = rows.filter((row) => !row.grows && row !== whole);
  const parts = searches.map(({ name, visits }) => {
    if (!whole) return `${name} visits ${countWords(visits)} nodes`;
    const share = (100 * visits) / whole.visits;
    if (visits > whole.visits) return `${name} visits ${countWords(visits)} nodes in all its passes, more than minimax on so small a tree`;
    return `${name} visits ${countWords(visits)} of ${countWords(whole.visits)} nodes (${share < 1 ? share.toPrecision(2) : share.toFixed(0)} %) and leaves out ${countWords(whole.visits - visits)}`;
  });
  const growing = rows.filter(({ grows }) => grows).map(({ name, visits }) => `${name} makes ${countWords(visits)} simulations`);
  const scores = new Set(rows.filter(({ grows }) => !grows).map(({ analysis }) => analysis.score));
  const depths = new Set(rows.filter(({ grows }) => !grows).map(({ analysis }) => analysis.depth));
  const same = rows.filter(({ grows }) => !grows).length > 1 && scores.size === 1 && depths.size === 1 ? " The value is the same." : "";
  const text = [...parts, ...growing].join("; ");
  return text ? `${text}.${same}` : `Minimax visits ${countWords(whole?.visits ?? 0)} nodes: every line to its depth.`;
}
