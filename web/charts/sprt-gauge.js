/** <ludus-sprt-gauge>: the log-likelihood ratio of a sequential test between its two bounds. */

import { el, svg } from "../lib/dom.js";

/** @typedef {{ llr: number, lower: number, upper: number, verdict: string }} Sprt */

const WIDTH = 320;
const CENTRE = WIDTH / 2;
const BASE = 148;
const RADIUS = 120;

export class SprtGauge extends HTMLElement {
  #needle = svg("path", { class: "sprt-needle" });
  #progress = svg("path", { class: "sprt-progress", fill: "none", "stroke-width": "18" });
  #value = svg("text", { class: "sprt-value", x: CENTRE, y: BASE - 34, "text-anchor": "middle" });
  #lower = svg("text", { class: "sprt-bound", x: CENTRE - RADIUS, y: BASE + 22, "text-anchor": "middle" });
  #upper = svg("text", { class: "sprt-bound", x: CENTRE + RADIUS, y: BASE + 22, "text-anchor": "middle" });
  #words = el("p", { class: "sprt-words", "aria-live": "polite" });
  #canvas = svg(
    "svg",
    { class: "sprt-canvas", viewBox: `0 0 ${WIDTH} 176`, role: "img" },
    svg("path", { class: "sprt-arc low", d: arc(-1, -0.015), fill: "none", "stroke-width": "18" }),
    svg("path", { class: "sprt-arc high", d: arc(0.015, 1), fill: "none", "stroke-width": "18" }),
    this.#progress,
    this.#needle,
    this.#value,
    this.#lower,
    this.#upper,
  );

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#canvas, this.#words);
  }

  /**
   * @param {Sprt} sprt
   * @param {boolean} isOver whether no more games will be played
   */
  show(sprt, isOver) {
    const share = sprt.llr < 0 ? -Math.min(1, sprt.llr / sprt.lower) : Math.min(1, sprt.llr / sprt.upper);
    const tone = share < 0 ? "low" : "high";
    this.#progress.setAttribute("class", `sprt-progress ${tone}`);
    this.#progress.setAttribute(
      "d",
      Math.abs(share) < 0.02
        ? ""
        : arc(Math.min(share, Math.sign(share) * 0.015), Math.max(share, Math.sign(share) * 0.015)),
    );
    this.#needle.setAttribute("d", needle(share));
    this.#value.textContent = signed(sprt.llr);
    this.#lower.textContent = signed(sprt.lower);
    this.#upper.textContent = signed(sprt.upper);
    this.#words.textContent = verdictWords(sprt.verdict, isOver);
    this.#canvas.setAttribute(
      "aria-label",
      `Log-likelihood ratio ${signed(sprt.llr)} between ${signed(sprt.lower)} and ${signed(sprt.upper)}`,
    );
  }
}

/**
 * A verdict in words.
 * @param {string} verdict
 * @param {boolean} isOver
 */
function verdictWords(verdict, isOver) {
  const plain = verdict.toLowerCase();
  if (plain.includes("h1")) return "Decided: the first player is stronger by the tested margin (H1 accepted).";
  if (plain.includes("h0")) return "Decided: the first player is not stronger by the tested margin (H0 accepted).";
  if (plain.includes("no new games")) return "Undecided: the players only repeat earlier games.";
  return isOver ? "Undecided: all games were played before the test reached a verdict." : "No verdict yet.";
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/**
 * A point of the half circle; -1 is its left end, 1 its right end.
 * @param {number} share
 * @param {number} radius
 */
function around(share, radius) {
  const angle = (Math.PI / 2) * (1 - share);
  return [CENTRE + radius * Math.cos(angle), BASE - radius * Math.sin(angle)];
}

/**
 * @param {number} from
 * @param {number} to
 */
function arc(from, to) {
  const [x1, y1] = around(from, RADIUS);
  const [x2, y2] = around(to, RADIUS);
  return `M${x1.toFixed(1)} ${y1.toFixed(1)}A${RADIUS} ${RADIUS} 0 0 1 ${x2.toFixed(1)} ${y2.toFixed(1)}`;
}

/** @param {number} share */
function needle(share) {
  const [x, y] = around(share, RADIUS - 14);
  const [left, leftUp] = around(share - 0.045, RADIUS - 32);
  const [right, rightUp] = around(share + 0.045, RADIUS - 32);
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${left.toFixed(1)} ${leftUp.toFixed(1)}L${right.toFixed(1)} ${rightUp.toFixed(1)}Z`;
}

customElements.define("ludus-sprt-gauge", SprtGauge);
