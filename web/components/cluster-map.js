/** The self-organising map of MP-Draughts: its units as a grid, each with boards that belong to it. */

import { el, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import "./board.js";

const COLUMNS = 5;

/**
 * @param {Ludus.View} view
 * @param {string} label
 */
function board(view, label) {
  return el("ludus-board", { class: "cluster-board", ".view": view, "aria-label": label });
}

/** @param {Ludus.Cluster} cluster */
function figuresOf(cluster) {
  return Object.entries(cluster).filter(
    ([name, value]) => !["index", "size", "boards"].includes(name) && (typeof value === "number" || typeof value === "string"),
  );
}

/** @param {unknown} value */
function figureText(value) {
  return typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 3 }) : String(value);
}

/**
 * @param {{ units: number, clusters: Ludus.Cluster[] }} map
 */
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
 * @param {Ludus.Cluster} cluster
 * @param {number} largest
 * @param {() => void} choose
 */
function tile(cluster, largest, choose) {
  const number = cluster.index + 1;
  return el(
    "button",
    {
      class: "cluster-tile",
      type: "button",
      onclick: choose,
      style: { "--share": `${Math.round((cluster.size / largest) * 100)}%` },
      "aria-label": `Unit ${number}, ${cluster.size} boards`,
    },
    el(
      "span",
      { class: "cluster-head" },
      el("b", { class: "number" }, number),
      el("span", { class: "muted number" }, cluster.size === 0 ? "empty" : `${cluster.size} boards`),
    ),
    cluster.boards[0] ? board(cluster.boards[0], `A board of unit ${number}`) : el("span", { class: "cluster-none" }),
    el("span", { class: "cluster-bar" }),
  );
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {Ludus.Cluster} cluster
 */
function open(dialog, cluster) {
  const close = el(
    "button",
    { class: "button quiet icon", type: "button", "aria-label": "Close", onclick: () => dialog.close() },
    icon("close"),
  );
  replace(
    dialog,
    el("div", { class: "row spread nowrap" }, el("h2", {}, `Unit ${cluster.index + 1}`), close),
    el(
      "dl",
      { class: "cluster-figures" },
      el("div", {}, el("dt", {}, "boards in training"), el("dd", { class: "number" }, cluster.size)),
      figuresOf(cluster).map(([name, value]) =>
        el("div", {}, el("dt", {}, name.replaceAll("_", " ")), el("dd", { class: "number" }, figureText(value))),
      ),
    ),
    cluster.boards.length > 0
      ? el(
          "div",
          { class: "cluster-boards" },
          cluster.boards.map((view, index) => board(view, `Board ${index + 1}`)),
        )
      : el("p", { class: "muted" }, "No board of the training belongs to this unit."),
  );
  dialog.showModal();
}
