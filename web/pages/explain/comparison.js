/** Searches of one position side by side, in numbers. */

import { el } from "../../lib/dom.js";
import { readSpec } from "../../lib/specs.js";
import { countWords, scoreWords } from "../../tree/words.js";

/** @typedef {import("./run.js").Subject} Subject */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} visits
 * @property {Ludus.Analysis} analysis
 * @property {boolean} whole whether it searches the whole tree
 * @property {boolean} reference
 * @property {boolean} grows
 */

/** Algorithms that search the whole tree. */
const WHOLE = new Set(["minimax", "negamax"]);

/** @param {string} player */
export function isWhole(player) {
  return WHOLE.has(readSpec(player).id);
}

/**
 * @param {Subject[]} subjects
 * @param {Pick<Subject, "title" | "player" | "explanation">[]} references minimax with each of their evaluations
 * @param {(() => void) | null} ask runs minimax
 * @param {string} [note]
 */
export function comparison(subjects, references, ask, note = "") {
  const plain = subjects.every(({ place }) => place === null);
  const row =
    (/** @type {boolean} */ reference) =>
    (
      /** @type {Pick<Subject, "title" | "player" | "explanation">} */ {
        title,
        player,
        explanation: { analysis, trace },
      },
    ) => ({
      name: title,
      visits: trace.visits,
      analysis,
      whole: isWhole(player),
      reference,
      grows: "simulations" in trace,
    });
  /** @type {Row[]} */
  const rows = [...subjects.map(row(false)), ...references.map(row(true))];
  if (rows.length === 1 && rows[0].grows) return null;
  const most = Math.max(...rows.map(({ visits }) => visits));
  return el(
    "section",
    { class: "card comparison", "aria-label": "Comparison" },
    el("p", { class: "comparison-words" }, words(rows)),
    el(
      "table",
      { class: "comparison-table" },
      el(
        "thead",
        { class: "visually-hidden" },
        el(
          "tr",
          {},
          ...["Algorithm", "Share", "Visits", "Value", "Move", "Time"].map((name) => el("th", { scope: "col" }, name)),
        ),
      ),
      el("tbody", {}, ...rows.map((row) => tableRow(row, most, plain))),
    ),
    note ? el("p", { class: "hint" }, note) : null,
    ask
      ? el(
          "button",
          {
            type: "button",
            class: "button",
            onclick: (/** @type {Event} */ event) => {
              if (event.currentTarget instanceof HTMLButtonElement) event.currentTarget.disabled = true;
              ask();
            },
          },
          "Count what minimax would visit (may take long)",
        )
      : null,
  );
}

/**
 * @param {Row} row
 * @param {number} most
 * @param {boolean} plain
 */
function tableRow({ name, visits, analysis, reference, grows }, most, plain) {
  return el(
    "tr",
    { class: reference ? "is-reference" : null },
    el("th", { scope: "row" }, name),
    el(
      "td",
      { class: "comparison-share" },
      el("span", { class: "comparison-bar", style: { width: `${Math.max(0.5, (100 * visits) / most)}%` } }),
    ),
    el("td", { class: "number" }, `${countWords(visits)} ${grows ? "simulations" : "nodes"}`),
    el("td", { class: "number" }, valueText(analysis, plain)),
    el("td", {}, analysis.best ?? ""),
    el("td", { class: "number muted" }, plain ? "" : timeWords(analysis.seconds)),
  );
}

/**
 * @param {Ludus.Analysis} analysis
 * @param {boolean} plain
 */
export function valueText({ score, score_words }, plain) {
  if (score === null) return "";
  return plain ? scoreWords(score, true) : (score_words || scoreWords(score, false)).replace(/^-/, "−");
}

/** @param {number} seconds */
function timeWords(seconds) {
  return seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(1)} s`;
}

/** @param {Row[]} rows */
function words(rows) {
  const whole = rows.find((row) => row.whole);
  const searches = rows.filter((row) => !row.grows && !row.reference && row !== whole);
  const parts = searches.map(({ name, visits }) => {
    if (!whole) return `${name} visits ${countWords(visits)} nodes`;
    const share = (100 * visits) / whole.visits;
    if (visits > whole.visits)
      return `${name} visits ${countWords(visits)} nodes in all its passes, more than minimax on so small a tree`;
    return `${name} visits ${countWords(visits)} of ${countWords(whole.visits)} nodes (${share < 1 ? share.toPrecision(2) : share.toFixed(0)} %) and leaves out ${countWords(whole.visits - visits)}`;
  });
  const growing = rows
    .filter(({ grows }) => grows)
    .map(({ name, visits }) => `${name} makes ${countWords(visits)} simulations`);
  const scores = new Set(rows.filter(({ grows }) => !grows).map(({ analysis }) => analysis.score));
  const depths = new Set(rows.filter(({ grows }) => !grows).map(({ analysis }) => analysis.depth));
  const same =
    rows.filter(({ grows }) => !grows).length > 1 && scores.size === 1 && depths.size === 1
      ? " The value is the same."
      : "";
  const text = [...parts, ...growing].join("; ");
  return text
    ? `${text}.${same}`
    : `Minimax visits ${countWords(whole?.visits ?? 0)} nodes: every line to the full depth.`;
}
