/** The state of a contest or a run as a badge, and its progress as a bar. */

import { el, replace, setText } from "./dom.js";

const WORDS = { running: "running", stopped: "stopped", finished: "finished", failed: "failed" };
const TONES = { running: "accent", stopped: "info", finished: "good", failed: "bad" };

/**
 * @param {HTMLElement} badge
 * @param {Ludus.Phase} state
 */
export function showState(badge, state) {
  if (badge.dataset.state === state) return;
  badge.dataset.state = state;
  badge.className = `badge state-badge ${TONES[state] ?? ""}`;
  replace(
    badge,
    state === "running" ? el("span", { class: "state-pulse", "aria-hidden": "true" }) : null,
    WORDS[state] ?? state,
  );
}

/** @param {Ludus.Phase} state */
export function stateBadge(state) {
  const badge = el("span", {});
  showState(badge, state);
  return badge;
}

/**
 * A date and time in words; text that is not a date is returned unchanged.
 * @param {string | number | null} at a date, or seconds since 1970
 */
export function momentText(at) {
  if (at === null || at === "") return "";
  const date = typeof at === "number" ? new Date(at * 1000) : new Date(at);
  return Number.isNaN(date.getTime())
    ? String(at)
    : date.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** A progress bar with its numbers. */
export class ProgressLine {
  #fill = el("div", {});
  #bar = el("div", { class: "progress", role: "progressbar", "aria-valuemin": "0" }, this.#fill);
  #words = el("span", { class: "number" });
  #share = el("span", { class: "number muted" });
  element = el(
    "div",
    { class: "progress-line" },
    el("div", { class: "row spread small" }, this.#words, this.#share),
    this.#bar,
  );

  /**
   * @param {number} done
   * @param {number} total
   * @param {string} unit
   */
  show(done, total, unit) {
    const share = total > 0 ? Math.min(1, done / total) : 0;
    this.#fill.style.setProperty("width", `${(share * 100).toFixed(1)}%`);
    this.#bar.setAttribute("aria-valuemax", String(total));
    this.#bar.setAttribute("aria-valuenow", String(done));
    this.#bar.setAttribute("aria-label", unit || "progress");
    // No bar once finished.
    this.#bar.hidden = this.#share.hidden = share === 1;
    const count = share === 1 ? "" : `${done.toLocaleString("en")} of `;
    setText(this.#words, `${count}${total.toLocaleString("en")} ${unit}`.trim());
    setText(this.#share, `${Math.floor(share * 100)} %`);
  }
}
