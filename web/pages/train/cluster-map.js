/** The self-organising map of MP-Draughts: its units as a grid, each with boards that belong to it. */

import { el, replace } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import "../../board/board.js";
import { featureLabel } from "../../lib/labels.js";

/** @typedef {{ feature: string, value: number, average: number }} Mark */
/** @typedef {Ludus.Cluster & { marks?: Mark[] }} Unit */

const COLUMNS = 5;

/**
 * @param {Ludus.BoardDiagram} view
 * @param {string} label
 */
function board(view, label) {
  return el("ludus-board", { class: "cluster-board", ".view": view, "aria-label": label });
}

/** @param {{ clusters: Unit[] }} map */
export function clusterMap({ clusters }) {
  const largest = Math.max(1, ...clusters.map((cluster) => cluster.size));
  const dialog = el("dialog", { class: "cluster-dialog" });
  const grid = el(
    "div",
    { class: "cluster-grid", style: { "--columns": COLUMNS } },
    clusters.map((cluster) => tile(cluster, largest, () => open(dialog, cluster))),
  );
  return el("div", {}, grid, dialog);
}

/**
 * @param {Unit} unit
 * @param {number} largest
 * @param {() => void} choose
 */
function tile(unit, largest, choose) {
  return el(
    "button",
    {
      class: "cluster-tile",
      type: "button",
      onclick: choose,
      style: { "--share": `${Math.round((unit.size / largest) * 100)}%` },
      "aria-label": `Unit ${unit.index}, ${boardsText(unit.size)}`,
    },
    el(
      "span",
      { class: "cluster-head" },
      el("b", { class: "number" }, unit.index),
      el("span", { class: "muted number" }, boardsText(unit.size)),
    ),
    unit.boards[0] ? board(unit.boards[0], `A board of unit ${unit.index}`) : el("span", { class: "cluster-none" }),
    el("span", { class: "cluster-bar" }),
  );
}

/** @param {number} count */
function boardsText(count) {
  if (count === 0) return "no board";
  return count === 1 ? "1 board" : `${count} boards`;
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {Unit} unit
 */
function open(dialog, unit) {
  const close = el(
    "button",
    { class: "button quiet icon", type: "button", "aria-label": "Close", onclick: () => dialog.close() },
    icon("close"),
  );
  replace(
    dialog,
    el("div", { class: "row spread nowrap" }, el("h2", {}, `Unit ${unit.index} · ${boardsText(unit.size)}`), close),
    unit.boards.length > 0
      ? el(
          "div",
          { class: "cluster-boards" },
          unit.boards.map((view, index) => board(view, `Board ${index + 1}`)),
        )
      : el("p", { class: "muted" }, "No board of the sample belongs to this unit."),
    unit.marks && unit.marks.length > 0 ? marksTable(unit.marks) : null,
  );
  dialog.showModal();
}

/**
 * The features in which a unit differs from the others.
 * @param {Mark[]} marks
 */
function marksTable(marks) {
  const figure = (/** @type {number} */ value) => value.toLocaleString("en", { maximumFractionDigits: 2 });
  return el(
    "table",
    { class: "table cluster-marks" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "Feature"),
        el("th", { scope: "col", class: "number" }, "Here"),
        el("th", { scope: "col", class: "number" }, "On average"),
      ),
    ),
    el(
      "tbody",
      {},
      marks.map(({ feature, value, average }) =>
        el(
          "tr",
          {},
          el("td", {}, featureLabel(feature)),
          el("td", { class: "number" }, el("b", {}, figure(value))),
          el("td", { class: "number muted" }, figure(average)),
        ),
      ),
    ),
  );
}
